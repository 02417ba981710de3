dpkg-query -W
