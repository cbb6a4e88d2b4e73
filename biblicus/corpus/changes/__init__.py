"""State of the folder at the last refresh, and what has changed since."""
