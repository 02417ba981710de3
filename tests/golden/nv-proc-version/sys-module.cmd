/sys/module/nvidia/version
