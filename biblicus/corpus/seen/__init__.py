"""What the last refresh saw of the folder, and what has changed since."""
