racadm getsel
