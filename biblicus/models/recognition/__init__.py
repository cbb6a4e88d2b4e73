"""What was recognised in pictures and recordings: words with their places, and cues with their times."""
