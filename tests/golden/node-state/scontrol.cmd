scontrol show node
