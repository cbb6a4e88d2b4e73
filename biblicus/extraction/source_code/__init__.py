"""Extractors of source code, with its definitions as headings."""
