cat /proc/driver/nvidia/warnings/os
