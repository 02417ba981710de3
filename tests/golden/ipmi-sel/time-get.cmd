ipmitool sel time get
