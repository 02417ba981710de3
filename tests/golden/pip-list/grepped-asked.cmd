pip list | grep torch
