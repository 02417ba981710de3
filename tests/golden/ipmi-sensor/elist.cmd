ipmitool sdr elist
