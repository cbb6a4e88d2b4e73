"""Configuration and data files: headings from their keys."""
