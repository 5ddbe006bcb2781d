"""What `tablemarker doctor` looks at: for each part of the machine, what was read, and what is to be made of it."""
