hostname -f
