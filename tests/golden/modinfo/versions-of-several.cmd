modinfo nvidia nvidia-uvm | grep version
