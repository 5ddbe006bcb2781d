"""The web scoreboard."""
