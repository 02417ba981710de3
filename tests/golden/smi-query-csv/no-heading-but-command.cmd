nvidia-smi --query-gpu=index,power.draw,temperature.gpu,clocks_throttle_reasons.active --format=csv,noheader,nounits -l 1
