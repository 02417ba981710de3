ipmi-sel --output-event-state
