ipmitool sensor
