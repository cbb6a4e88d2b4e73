"""Sources of a corpus: configured entries, and the parts of a sync."""
