"""Detectors: raw signals in, observations out. Pure: time is an argument."""
