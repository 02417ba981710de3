cat /proc/uptime
