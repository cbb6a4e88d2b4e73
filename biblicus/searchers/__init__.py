"""Where a search runs."""
