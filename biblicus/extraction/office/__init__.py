"""Office files, old and new, as text with its slides, cells and headings."""
