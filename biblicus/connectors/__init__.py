"""Interfaces to Biblicus: each parses a request, calls one operation and shows the result."""
