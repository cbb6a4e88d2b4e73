"""Biblicus turns any folder of files into a corpus whose every answer cites exact, verifiable evidence.

from biblicus import Corpus

with Corpus.open("my-notes") as corpus:
    corpus.reindex()
    for piece in corpus.query("When do the tides turn?").evidence:
        print(piece.path, piece.line_start, piece.text)
"""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.answering.packs.pack import context_pack
    from biblicus.connectors.python import Corpus
    from biblicus.contracts import Call
    from biblicus.errors import BiblicusError
    from biblicus.models.answers.pack import Pack
    from biblicus.models.evidence import Evidence, Result
    from biblicus.models.item import Item
    from biblicus.models.requests.answer import PackPolicy
    from biblicus.models.requests.query import Filters

__all__ = [
    "BiblicusError",
    "Call",
    "Corpus",
    "Evidence",
    "Filters",
    "Item",
    "Pack",
    "PackPolicy",
    "Result",
    "context_pack",
]

_HOMES = {
    "BiblicusError": "biblicus.errors",
    "Call": "biblicus.contracts",
    "Corpus": "biblicus.connectors.python",
    "Evidence": "biblicus.models.evidence",
    "Filters": "biblicus.models.requests.query",
    "Item": "biblicus.models.item",
    "Pack": "biblicus.models.answers.pack",
    "PackPolicy": "biblicus.models.requests.answer",
    "Result": "biblicus.models.evidence",
    "context_pack": "biblicus.answering.packs.pack",
}


if not TYPE_CHECKING:  # a misspelt name is a type error
    __getattr__ = modules_of(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names, also before they are imported."""
    return [*globals(), *__all__]
