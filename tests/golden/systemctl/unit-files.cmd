systemctl list-unit-files
