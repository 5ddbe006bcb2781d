"""Simulated players, balls and switches: a table with no hardware."""
