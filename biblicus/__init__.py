"""Turns any folder into a corpus whose every answer cites exact, verifiable evidence."""
