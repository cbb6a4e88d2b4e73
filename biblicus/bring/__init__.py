"""Adds documents to a corpus: files, texts, addresses, synchronized sources, bibliographies; removes them."""
