lspci -vvs 15:01.0 | grep -E "LnkCap:|LnkSta:"
