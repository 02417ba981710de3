ipmitool fru
