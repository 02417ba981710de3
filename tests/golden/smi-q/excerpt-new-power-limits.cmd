nvidia-smi -q -i 3 -d POWER | grep 'Power Limit'
