"""The rules core: four historical games, article by article. Pure: no I/O, no clock."""
