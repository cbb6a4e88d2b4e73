"""What happened to a corpus, recorded as it happens and read by whoever follows it."""
