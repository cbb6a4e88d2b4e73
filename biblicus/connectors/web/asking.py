"""One request to the page: the query string, and the verbs called for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams

from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.plain import plain
from biblicus.service.verbs import Verb, fitting

if TYPE_CHECKING:
    from biblicus.service.corpora import Corpora

FACET_FILTERS = (
    "type", "doctype", "language", "tag", "toolkit", "layer", "category", "path", "source", "since", "until",
)  # fmt: skip
_LISTS = frozenset(FACET_FILTERS) - {"since", "until"}


@dataclass(frozen=True)
class Asked:
    """A request. `words`: the query string without empty fields, which a form also sends."""

    corpora: Corpora
    words: QueryParams
    call: Call

    def word(self, name: str, default: str = "") -> str:
        """Return a field of the query string."""
        return self.words.get(name, default)

    def about(self, question: str) -> Asked:
        """Return the same request for another question."""
        pairs = [(name, value) for name, value in self.words.multi_items() if name != "q"]
        return replace(self, words=QueryParams([("q", question), *pairs]))

    @property
    def names(self) -> list[str]:
        """Return the corpora that the user may see."""
        return self.corpora.names(guest=self.call.guest)

    @property
    def corpus(self) -> str:
        """Return the selected corpus, or the first."""
        return self.corpora.meant(self.word("corpus") or next(iter(self.names), None), guest=self.call.guest)

    @property
    def filters(self) -> dict[str, Any]:
        """Return the filters in the query string."""
        filtered_by = [name for name in FACET_FILTERS if name in self.words]
        return {name: self.words.getlist(name) if name in _LISTS else self.words[name] for name in filtered_by}

    def ask(self, verb: Verb[Any, Any], *, corpus: str | None = None, **request: Any) -> Any:
        """Call a verb and return its reply as JSON values. Raises its errors, and `UsageError` for an invalid
        request."""
        read = fitting(verb.request, request, "That does not work")
        return plain(self.corpora.ask(corpus or self.corpus, verb, read, self.call))

    def number(self, name: str) -> int | None:
        """Return an integer field of the query string. Raises `UsageError`."""
        words = self.word(name)
        if not words:
            return None
        if not (words.isascii() and words.isdigit() and len(words) < 10):
            raise UsageError(f"{name} takes a number, not {words[:40]}.")
        return int(words)

    def item_address(self, item: str, **words: Any) -> str:
        """Return the reader's address of an item in the corpus that the query string names."""
        return item_address(item, corpus=self.word("corpus") or None, **words)

    def address(self, path: str, /, **changes: Any) -> str:
        """Return an address with this query string and changes; None removes a field."""
        pairs = [(name, value) for name, value in self.words.multi_items() if name not in changes]
        return joined(path, pairs + _pairs(changes))


def joined(path: str, pairs: list[tuple[str, str]]) -> str:
    return f"{path}?{urlencode(pairs, errors='surrogatepass')}" if pairs else path


def _pairs(words: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in words.items():
        if value is not None:
            pairs += [(name, str(entry)) for entry in (value if isinstance(value, list | tuple) else [value])]
    return pairs


def item_address(item: str, /, **words: Any) -> str:
    """Return the reader's address of an item."""
    return joined(f"/c/{quote(item, safe='', errors='surrogatepass')}", _pairs(words))


def picture_address(item: str, **words: Any) -> str:
    """Return the address of a page as a picture: `page`, `mark`, `pixels`, `corpus`."""
    return item_address(item, **words).replace("/c/", "/picture/", 1)


def cited_address(piece: Mapping[str, Any], *, q: str, corpus: str | None) -> str:
    """Return the reader's address of a piece of evidence: the item, the span, and the hash of its words."""
    where = {"corpus": corpus, "page": piece.get("page"), "span": f"{piece['span_start']}-{piece['span_end']}"}
    locator = piece.get("locator") or {}
    if locator.get("kind") == "sheet":
        where["sheet"] = locator["label"]
    return item_address(piece["item_id"], **where, hash=piece["hash"][:16], q=q or None) + "#mark"
