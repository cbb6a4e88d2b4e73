"""The log of changes to a corpus, and its readers."""
