racadm lclog view
