"""What expires is judged at the time of the run that answers, and a later reindex makes a new run for it."""

from collections.abc import Callable
from pathlib import Path

from biblicus import Call, Corpus
from biblicus.corpus.editorial.approvals import is_expired

_LAYERS = 'layers:\n  - {name: raw, path: "drafts/**"}\n  - {name: published, path: "published/**", from: raw}\n'
_NOON = 1_790_000_000.0


def _at(seconds: float) -> Call:
    clock: Callable[[], float] = lambda: _NOON + seconds  # noqa: E731
    return Call(clock=clock)


def test_a_later_reindex_makes_a_run_that_shows_no_more_what_expired(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts/notice.md").write_text("---\nexpires: 2026-09-21T15:00:00Z\n---\nA notice on eclipses.\n")
    with Corpus.init(tmp_path) as corpus:
        config = tmp_path / ".biblicus/config.yml"
        config.write_text(config.read_text() + _LAYERS)
        corpus.promote("drafts/notice.md", to="published", call=_at(0))
        (first,) = corpus.reindex(call=_at(0)).runs
        assert [piece.path for piece in corpus.query("eclipses", layer=("published",)).evidence] == [
            "published/notice.md"
        ]
        (same,) = corpus.reindex(call=_at(60)).runs
        assert (same.built, same.manifest.run_id) == ("unchanged", first.manifest.run_id)
        (later,) = corpus.reindex(call=_at(7200)).runs
        assert later.differs == ("expired",)
        assert corpus.query("eclipses", layer=("published",)).evidence == ()
        before = corpus.query("eclipses", layer=("published",), run=first.manifest.run_id)
        assert [piece.path for piece in before.evidence] == ["published/notice.md"]


def test_a_day_is_over_when_it_ends_and_a_time_when_it_is_reached() -> None:
    assert not is_expired("2026-11-22", "2026-11-22T23:59:59Z")
    assert is_expired("2026-11-22", "2026-11-23T00:00:00Z")
    assert not is_expired("2026-11", "2026-11-30T23:59:59Z")
    assert is_expired("2026-11-22T12:00:00Z", "2026-11-22T12:00:00Z")
    assert not is_expired(None, "2026-11-22T12:00:00Z")
