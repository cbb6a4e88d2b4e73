"""What items say: texts by extractors, transcripts, transcribers, pictures of pages; kept by content."""
