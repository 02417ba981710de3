lsmod | grep nv
