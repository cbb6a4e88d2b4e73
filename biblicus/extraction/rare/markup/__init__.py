"""Markup formats that are rewritten as Markdown line by line: AsciiDoc, Org, Info and others."""
