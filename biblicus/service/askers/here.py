"""A reader over a corpus on this machine, in this process (see `service.askers.in_turn`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.models.evidence import Result
from biblicus.models.item import Item
from biblicus.models.question import Filters, Query
from biblicus.models.reading import Excerpt, Node, Shown, Verdict

if TYPE_CHECKING:
    from biblicus.models.pack import Pack, PackPolicy


class Here:
    """The corpus that holds `folder`. Raises `CorpusNotFound`."""

    def __init__(self, folder: Path) -> None:
        self._place = find(folder)

    def query(self, query: Query, call: Call) -> Result:
        from biblicus.search.query import query as ask  # lazy, as below: each command pays for what it needs

        return ask(self._place, query, call)

    def context(self, query: Query, policy: PackPolicy, call: Call) -> Pack:
        from biblicus.answers.context import context, tokenizer

        return context(self._place, self.query, query, policy, call, tokenizer(self._place, policy.tokenizer))

    def items(self, filters: Filters, call: Call) -> Sequence[Item]:
        from biblicus.corpus.items import list_items

        return list(list_items(self._place, filters))

    def item(self, name: str, call: Call) -> Shown:
        from biblicus.corpus.items import show

        return show(self._place, name, call)

    def get(
        self,
        name: str,
        call: Call,
        *,
        lines: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
        page: int | None = None,
    ) -> Excerpt:
        from biblicus.corpus.items import get

        return get(self._place, name, call, lines=lines, span=span, page=page)

    def tree(self, prefix: str, depth: int | None, call: Call) -> Sequence[Node]:
        from biblicus.corpus.items import tree

        return tree(self._place, prefix, depth)

    def stats(self, call: Call) -> Mapping[str, Any]:
        from biblicus.runs.stats import stats

        return stats(self._place)

    def verify(self, evidence: Sequence[Mapping[str, Any]], call: Call) -> Sequence[Verdict]:
        from biblicus.search.verify import judge

        return judge(self._place, evidence, call)

    def told(self, verb: str, request: Mapping[str, Any], call: Call) -> Mapping[str, Any]:
        from biblicus.service.telling import told

        return told(self._place, verb, request)

    def follow(self, after: str | None, call: Call) -> Iterator[Mapping[str, Any]]:
        from biblicus.corpus.events import follow

        return (event.as_object() for event in follow(self._place, call, after))

    def is_current(self, result: Result, call: Call) -> bool:
        from biblicus.search.query import is_current

        return is_current(self._place, result)
