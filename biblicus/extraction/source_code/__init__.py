"""Source code as text, with its definitions as headings."""
