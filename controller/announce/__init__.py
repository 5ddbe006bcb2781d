"""What the room hears and sees beside the screens: a voice that calls the score, lamps and sounders."""
