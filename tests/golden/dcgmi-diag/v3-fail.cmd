dcgmi diag -r 3
