"""Ignore files come from strangers too: none can stop a walk, and none is followed out of the folder."""

import time
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec

from biblicus.models.manifest import Note
from biblicus.sources.folder import walk
from biblicus.sources.ignoring import own_rules
from biblicus.text.fitting import matches_path
from tests.reliability.conftest import Command


def test_a_hundred_thousand_patterns_are_refused(corpus: Path, told: Command):
    (corpus / ".biblicusignore").write_text("\n".join(f"*.x{number}" for number in range(100_000)))
    done = told("ingest")
    assert (done.code, done.is_clean) == (7, True)
    assert told("query", "moon").code == 0


def test_a_file_of_two_mebibytes_is_refused(corpus: Path, told: Command):
    (corpus / ".biblicusignore").write_text("x" * (2 << 20))
    assert told("ingest").code == 7


def test_a_thousand_patterns_are_nothing(corpus: Path, told: Command):
    (corpus / ".biblicusignore").write_text("\n".join(f"*.x{number}" for number in range(1_000)))
    assert told("ingest").code == 0


@pytest.mark.parametrize("pattern", ["*a" * 100, "**/a/" * 50 + "b", "*[ab]" * 60, "a*" * 60 + "/**/" + "*b" * 60])
def test_a_pattern_that_would_run_away_is_tamed_or_reported(tmp_path: Path, pattern: str):
    (tmp_path / ".biblicusignore").write_text(pattern)
    (tmp_path / ("a" * 250)).touch()
    (tmp_path / Path(*["a"] * 100)).mkdir(parents=True)
    began = time.process_time()
    walk(tmp_path, own_rules(tmp_path), max_bytes=1)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("pattern", ["", "\\", "!", "[[:foo:]]", "[", "a\\", "\x00", "*" * 5000])
def test_a_line_that_is_no_pattern_costs_itself(corpus: Path, told: Command, pattern: str):
    (corpus / ".biblicusignore").write_text(f"{pattern}\n*.log\n")
    (corpus / "noise.log").touch()
    done = told("ingest", "-v")
    assert done.code == 0
    assert "noise.log: ignored" in done.out


@pytest.mark.parametrize("line", ["", "\\"])
def test_what_leaves_a_file_out_is_named_behind_lines_that_are_no_patterns(tmp_path: Path, line: str):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(f"{line}\n{line}\n")
    (tmp_path / ".biblicusignore").write_text("*.log\n")
    (tmp_path / "noise.log").touch()
    skipped = walk(tmp_path, own_rules(tmp_path), max_bytes=1).skipped
    assert skipped == [Note(path="noise.log", reason="ignored by .biblicusignore")]


PATTERNS = ("*a*b*c", "a*b?c*d", "*.min.*.js", "x/*a*b*", "*ab*ab*ab", "!*a*b*c", "*a*b*c/", "*[ab]*c*d", "?*?*?*")
PATHS = ("abc", "aXbXc", "cab/aabbcc", "x/ab", "x/cacb/", "y/x.min.y.js", "ababab", "abcabd", "abXcXd/", "a", "a/b/c")


def test_taming_changes_no_answer():
    from biblicus.sources.ignoring import _tame

    for line in PATTERNS:
        plain = GitIgnoreSpec.from_lines([line])
        tamed = GitIgnoreSpec([_tame(*plain.patterns)])  # type: ignore[list-item]  # as the walk does
        for path in PATHS:
            assert plain.check_file(path).include == tamed.check_file(path).include, (line, path)


def test_a_link_is_not_read(corpus: Path, told: Command, tmp_path: Path):
    (tmp_path / "elsewhere").write_text("*.md\n")
    (corpus / ".biblicusignore").symlink_to(tmp_path / "elsewhere")
    assert "1 unchanged" in told("ingest").out


@pytest.mark.parametrize("glob", ["*a" * 100 + "b", "**/a/" * 50 + "b", "*[ab]" * 60 + "c", "[", "[z-a]", "[!", "\x00"])
def test_a_glob_of_a_filter_or_a_doctype_rule_cannot_run_away(glob: str):
    began = time.thread_time()
    for path in ("a" * 250, "/".join(["a"] * 100)):
        assert not matches_path(path, [glob])
    assert time.thread_time() - began < 8
