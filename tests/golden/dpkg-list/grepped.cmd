dpkg -l | grep nvidia
