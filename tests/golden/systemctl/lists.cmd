systemctl list-units --failed
