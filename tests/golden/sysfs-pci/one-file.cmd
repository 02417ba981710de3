cat /sys/bus/pci/drivers/nvidia/0000:3b:00.0/current_link_width
