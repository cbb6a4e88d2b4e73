"""Approval of items: layers, the editorial log, and copies of approved bytes."""
