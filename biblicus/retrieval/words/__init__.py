"""What ranks by words: the index, the live scan, and how both understand a question."""
