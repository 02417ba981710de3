cat /proc/driver/nvidia/registry
