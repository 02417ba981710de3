kubectl describe node gpu-pool-1
