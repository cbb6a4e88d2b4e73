"""Extractors of web pages: HTML, saved pages, feeds."""
