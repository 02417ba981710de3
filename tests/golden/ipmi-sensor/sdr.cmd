ipmitool sdr
