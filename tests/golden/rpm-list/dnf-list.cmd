dnf list installed
