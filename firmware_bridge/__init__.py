"""The link to microcontroller boards."""
