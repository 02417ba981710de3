modinfo -F version nvidia
