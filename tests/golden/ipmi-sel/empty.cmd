ipmitool sel elist
