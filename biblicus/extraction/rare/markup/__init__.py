"""Texts with marks of their own, read as Markdown line by line: AsciiDoc, Org, Info."""
