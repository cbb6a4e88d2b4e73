"""What the corpus approves: its layers, the editorial log, and the bytes that were approved."""
