"""Brings documents into a corpus: files, texts, addresses, sources that are followed, bibliographies; removes them."""
