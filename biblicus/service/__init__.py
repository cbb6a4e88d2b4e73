"""What every connector asks: the table of verbs, who answers them, and for how many at a time."""
