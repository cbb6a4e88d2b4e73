"""Markup that people write by hand, read as Markdown line by line: AsciiDoc, Org."""
