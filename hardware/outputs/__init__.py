"""Outputs: lamps and sounders."""
