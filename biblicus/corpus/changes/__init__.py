"""State of the folder at the last refresh, and what has changed since."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.corpus.changes import known_folder, pending
else:
    __getattr__ = modules_of(__name__)
