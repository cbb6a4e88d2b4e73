"""The table of verbs, the askers that answer them, and limits on concurrent requests."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.service import admission, askers, corpora, log_lines, places, tokens, verbs, views, watching
else:
    __getattr__ = modules_of(__name__)
