kubectl describe node gpu-b12
