"""Extractors of Office files, old and new, with their slides, cells and headings."""
