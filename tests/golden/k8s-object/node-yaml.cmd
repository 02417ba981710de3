kubectl get node gpu-b12 -o yaml
