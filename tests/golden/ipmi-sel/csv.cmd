ipmitool -c sel list
