"""Tools for built-in and third-party extractors: text composition, tables, line-based markup, special characters."""
