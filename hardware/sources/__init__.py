"""Sources: where raw signals come from."""
