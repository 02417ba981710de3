ps -ef
