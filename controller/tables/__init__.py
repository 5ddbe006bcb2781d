"""Tables: what the sensors of one table say, assembled into game events."""
