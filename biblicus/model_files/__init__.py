"""Weights that packages of the index carry: a row for each file, where it lies, and how it is fetched.

A file is read as data: no code of its package is imported, and its sha256 decides whether it is the known one.
"""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.model_files import fetching, table
else:
    __getattr__ = modules_of(__name__)
