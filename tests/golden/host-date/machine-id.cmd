cat /etc/machine-id
