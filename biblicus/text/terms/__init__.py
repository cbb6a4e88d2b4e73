"""Index terms of texts, names and titles."""
