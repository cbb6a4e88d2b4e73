"""Section of the HTML page with the questions that changed most, with the evidence before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.evaluation.comparison import Change
from biblicus.evaluation.report import Passages, words
from biblicus.evaluation.report.findings import DEPTH, SHOWN, Pair, rank_of_first
from biblicus.evaluation.report.layout import text_of
from biblicus.models.answers.evaluation import RankedItem, Row

_LONGEST = 420
"""Maximum characters of a passage, slightly more than its three lines show."""


def changed(pair: Pair, passages: Passages) -> Iterator[str]:
    """Yield both lists, worse questions first."""
    for title, changes in (("Got worse", pair.worse), ("Got better", pair.better)):
        if changes:
            more = (
                f' <span class="soft small">the {SHOWN} that changed most, of {len(changes):,}</span>'
                if len(changes) > SHOWN
                else ""
            )
            yield f"<h3>{title}{more}</h3>\n"
            for number, change in enumerate(changes[:SHOWN]):
                yield _change(pair, change, passages, " open" if number == 0 else "")


def _change(pair: Pair, change: Change, passages: Passages, is_open: str) -> str:
    kind = "better" if change.difference > 0 else "worse"
    before, after = (row.metrics[pair.metric] for row in (change.before, change.after))
    text = text_of(words.shortened(change.before.text, 400))
    return (
        f'<details class="change"{is_open}><summary><span class="badge {kind}">{words.signed(change.difference)}</span>'
        f'<bdi class="question">{text}</bdi>'
        f'<span class="soft small">{words.score(before)} → {words.score(after)}</span></summary>'
        '<div class="rankings">'
        f"{_ranking(pair.base.name, change.before, change.after, passages, 'before')}"
        f"{_ranking(pair.other.name, change.after, change.before, passages, 'after')}</div></details>\n"
    )


def _ranking(name: str, row: Row, beside: Row, passages: Passages, when: str) -> str:
    first = rank_of_first(row)
    if not row.relevant:
        first_relevant = ""
    elif first is None:
        first_relevant = f" · no relevant item among {len(row.ranking)}"
    else:
        first_relevant = f" · first relevant item at {first}"
    elsewhere = {item.item_id: rank for rank, item in enumerate(beside.ranking, 1)}
    items = "".join(
        _item(rank, item, row, passages, _moved(rank, elsewhere.get(item.item_id), when)) for rank, item in _shown(row)
    )
    return (
        f'<div><h4>{text_of(name)}<span class="soft">{first_relevant}</span></h4>'
        f'<ol class="ranking">{items or "<li class=soft>Nothing was found.</li>"}</ol></div>'
    )


def _shown(row: Row) -> Sequence[tuple[int, RankedItem]]:
    """Return the first ranks, and the first relevant item if it is further down."""
    ranked = list(enumerate(row.ranking, 1))
    first = rank_of_first(row)
    return ranked[:DEPTH] + ([ranked[first - 1]] if first is not None and first > DEPTH else [])


def _moved(rank: int, other: int | None, when: str) -> str:
    if when == "before":
        return "dropped" if other is None else "" if other == rank else f"→ {other}"
    return "new" if other is None else "" if other == rank else f"{'↑' if rank < other else '↓'} from {other}"


def _item(rank: int, item: RankedItem, row: Row, passages: Passages, moved: str) -> str:
    relevant = row.relevant.get(item.item_id, 0) > 0
    text = passages.get((item.item_id, item.start, item.end))
    passage = f'<div class="passage" dir="auto">{text_of(words.shortened(text, _LONGEST))}</div>' if text else ""
    mark = ' <span class="gain" title="judged relevant">✓ relevant</span>' if relevant else ""
    return (
        f'<li{" class=relevant" if relevant else ""}><span class="rank">{rank}</span>'
        f'<div><div class="path"><bdi>{text_of(item.path)}</bdi>{mark}</div>{passage}</div>'
        f'<span class="where">{item.score:.3f}<br>{moved}</span></li>'
    )
