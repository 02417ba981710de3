ps -eo pid,stat,wchan:20,comm
