/proc/driver/nvidia/./gpus/0000:01:00.0/information
