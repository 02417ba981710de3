ipmi-sensors
