cat /etc/sysctl.d/90-gpu.conf
