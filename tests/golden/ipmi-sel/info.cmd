ipmitool sel info
