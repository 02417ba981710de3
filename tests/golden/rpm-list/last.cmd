rpm -qa --last
