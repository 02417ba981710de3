lspci -s 5e:00.0 -vvv | grep -E "LnkCap:|LnkSta:"
