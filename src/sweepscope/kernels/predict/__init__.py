"""Which of many moving bodies will meet, and when."""
