"""What `tablemarker tune` makes of recorded rings, knocks and presses: pure, from signals to settings with their reasons."""
