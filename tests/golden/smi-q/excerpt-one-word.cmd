nvidia-smi -q -d UTILIZATION --id=GPU-00000001-0b0b-0c0c-0d0d-0e0e0e0e0e0e | grep Gpu
