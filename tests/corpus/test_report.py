"""Two refreshes in a row are told as one."""

import pytest

from biblicus.corpus.report import Report, joined

_A, _B, _C = ({"item_id": name, "path": name} for name in "abc")
_MOVED = {"item_id": "a", "path": "b", "from": "a"}


def _report(lists: dict[str, list[dict[str, str]]]) -> Report:
    report = Report()
    for kind, entries in lists.items():
        getattr(report, kind).extend(entries)
    return report


@pytest.mark.parametrize(
    ("earlier", "later", "told", "unchanged"),
    [
        ({"added": [_A]}, {}, {"added": [_A]}, 2),
        ({"added": [_A]}, {"changed": [_A]}, {"added": [_A]}, 2),
        ({"added": [_A]}, {"removed": [_A]}, {}, 3),
        ({"added": [_A]}, {"renamed": [_MOVED]}, {"added": [{"item_id": "a", "path": "b"}]}, 2),
        ({"changed": [_A]}, {"changed": [_B]}, {"changed": [_A, _B]}, 1),
        ({"changed": [_A]}, {"removed": [_A]}, {"removed": [_A]}, 3),
        ({"removed": [_A]}, {"added": [_A]}, {"changed": [_A]}, 2),
        ({"renamed": [_MOVED]}, {"changed": [{"item_id": "a", "path": "b"}]}, {"renamed": [_MOVED]}, 2),
        (
            {"renamed": [_MOVED]},
            {"renamed": [{"item_id": "a", "path": "c", "from": "b"}]},
            {"renamed": [{"item_id": "a", "path": "c", "from": "a"}]},
            2,
        ),
        ({"renamed": [_MOVED]}, {"removed": [{"item_id": "a", "path": "b"}]}, {"removed": [_A]}, 3),
        ({"removed": [_B]}, {"removed": [_C], "added": [_A]}, {"added": [_A], "removed": [_B, _C]}, 2),
    ],
)
def test_two_refreshes_in_a_row_are_one(
    earlier: dict[str, list[dict[str, str]]],
    later: dict[str, list[dict[str, str]]],
    told: dict[str, list[dict[str, str]]],
    unchanged: int,
) -> None:
    first, second = _report(earlier), _report(later)
    second.unchanged = 3 - len(second.added) - len(second.changed) - len(second.renamed)
    both = joined(first, second)
    lists = {kind: getattr(both, kind) for kind in ("added", "changed", "renamed", "removed")}
    assert {kind: entries for kind, entries in lists.items() if entries} == told
    assert both.unchanged == unchanged


def test_a_note_of_the_earlier_refresh_is_news_still() -> None:
    note = {"path": "a", "reason": "odd"}
    both = joined(Report(warnings=[note]), Report(warnings=[note], known=frozenset({("a", "odd")})))
    assert both.warnings == [note]
    assert not both.known
