"""Kinds of sources for items."""
