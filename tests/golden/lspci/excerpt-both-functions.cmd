lspci -vvd 10de: | grep -i lnksta:
