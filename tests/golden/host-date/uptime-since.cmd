uptime -s
