"""One request to the page: what its address says, and the verbs it asks. Nothing here answers by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    """`words`: the query string, without what is empty: a form sends its fields, filled or not."""

    corpora: Corpora
    words: QueryParams
    call: Call

    def word(self, name: str, default: str = "") -> str:
        """What the address says by a name."""
        return self.words.get(name, default)

    @property
    def names(self) -> list[str]:
        """The corpora that the asker may know of."""
        return self.corpora.names(guest=self.call.guest)

    @property
    def corpus(self) -> str:
        """The one corpus that is meant: the one named, or the first."""
        return self.corpora.meant(self.word("corpus") or next(iter(self.names), None), guest=self.call.guest)

    @property
    def filters(self) -> dict[str, Any]:
        """The filters that the address says."""
        filtered_by = [name for name in FACET_FILTERS if name in self.words]
        return {name: self.words.getlist(name) if name in _LISTS else self.words[name] for name in filtered_by}

    def ask(self, verb: Verb[Any, Any], *, corpus: str | None = None, **request: Any) -> Any:
        """A verb's reply as JSON values. Raises what it raises, and `UsageError` for a request that does not fit."""
        read = fitting(verb.request, request, "That does not work")
        return plain(self.corpora.ask(corpus or self.corpus, verb, read, self.call))

    def number(self, name: str) -> int | None:
        """A whole number that the address says. Raises `UsageError`."""
        words = self.word(name)
        if not words:
            return None
        if not (words.isascii() and words.isdigit() and len(words) < 10):
            raise UsageError(f"{name} takes a number, not {words[:40]}.")
        return int(words)

    def address(self, path: str, /, **changes: Any) -> str:
        """An address with the words of this one and some changed; None takes a word away."""
        pairs = [(name, value) for name, value in self.words.multi_items() if name not in changes]
        return joined(path, pairs + _pairs(changes))


def joined(path: str, pairs: list[tuple[str, str]]) -> str:
    """An address."""
    return f"{path}?{urlencode(pairs, errors='surrogatepass')}" if pairs else path


def further(address: str, words: Mapping[str, str]) -> str:
    """An address with more words."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(words, errors='surrogatepass')}"


def _pairs(words: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in words.items():
        if value is not None:
            pairs += [(name, str(one)) for one in (value if isinstance(value, list | tuple) else [value])]
    return pairs


def item_address(item: str, /, **words: Any) -> str:
    """Where the reader shows an item."""
    return joined(f"/c/{quote(item, safe='', errors='surrogatepass')}", _pairs(words))


def cited_address(piece: Mapping[str, Any], *, q: str, corpus: str | None) -> str:
    """Where the reader shows a piece of evidence: the item, the span, and by what its words are known again."""
    where = {"corpus": corpus, "page": piece.get("page"), "span": f"{piece['span_start']}-{piece['span_end']}"}
    locator = piece.get("locator") or {}
    if locator.get("kind") == "sheet":
        where["sheet"] = locator["label"]
    return item_address(piece["item_id"], **where, hash=piece["hash"][:16], q=q or None) + "#mark"
