ipmitool -v sel list
