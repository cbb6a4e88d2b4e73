"""The parts of repositories as sources: addresses, licences, the list and the registry on disk, front matter."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.bring.sources import entry_of
from biblicus.corpus import registries as sources
from biblicus.corpus.changes.synced import registry_file
from biblicus.corpus.registries import Registry, RegistryHeader
from biblicus.errors import ConfigInvalid, IngestionError, UsageError
from biblicus.models.sources.entries import FolderEntry, GitEntry, SourceList, ref_name, web_address
from biblicus.models.sources.syncing import Row
from biblicus.sources.git import identify_licence
from biblicus.text import media
from biblicus.text.citations import citation_url, has_lines, page_of
from tests.sources.repositories import repository

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("web", "path", "lines", "url"),
    [
        ("https://github.com/a/b.git", "x.py", (3, 3), f"https://github.com/a/b/blob/{COMMIT}/x.py#L3"),
        (
            "https://github.com/a/b",
            "README.md",
            (3, 9),
            f"https://github.com/a/b/blob/{COMMIT}/README.md?plain=1#L3-L9",
        ),
        ("https://github.com/a/b", "a#b?.py", (1, 2), f"https://github.com/a/b/blob/{COMMIT}/a%23b%3F.py#L1-L2"),
        ("https://gitlab.com/a/b/c", "x.py", (3, 9), f"https://gitlab.com/a/b/c/-/blob/{COMMIT}/x.py#L3-9"),
        ("https://gitlab.com/a/b/c", "README.md", (3, 3), f"https://gitlab.com/a/b/c/-/blob/{COMMIT}/README.md#L3"),
        ("https://codeberg.org/a/b", "x.c", (3, 9), f"https://codeberg.org/a/b/src/commit/{COMMIT}/x.c#L3-L9"),
        (
            "https://codeberg.org/a/b",
            "x.md",
            (3, 9),
            f"https://codeberg.org/a/b/src/commit/{COMMIT}/x.md?display=source#L3-L9",
        ),
        ("https://bitbucket.org/a/b", "x.c", (3, 9), f"https://bitbucket.org/a/b/src/{COMMIT}/x.c#lines-3:9"),
        ("https://git.kernel.org/a/b.git", "x.c", (3, 9), f"https://git.kernel.org/a/b.git/tree/x.c?id={COMMIT}#n3"),
        ("https://github.example.org/a/b", "x.py", (3, 3), f"https://github.example.org/a/b/blob/{COMMIT}/x.py#L3"),
        ("https://gitlab.gnome.org/a/b", "x.py", (3, 9), f"https://gitlab.gnome.org/a/b/-/blob/{COMMIT}/x.py#L3-9"),
        ("https://salsa.debian.org/a/b", "x.py", (3, 9), f"https://salsa.debian.org/a/b/-/blob/{COMMIT}/x.py#L3-9"),
        ("https://forgejo.example.org/a", "x.c", (3, 3), f"https://forgejo.example.org/a/src/commit/{COMMIT}/x.c#L3"),
        ("https://notgithub.com/a/b", "x.c", (3, 9), f"git+https://notgithub.com/a/b@{COMMIT}/x.c#L3-L9"),
        ("https://example.org/b.git", "x.c", (3, 9), f"git+https://example.org/b.git@{COMMIT}/x.c#L3-L9"),
        ("file:b", "d/x.c", (3, 9), f"git+file:b@{COMMIT}/d/x.c#L3-L9"),
    ],
)
def test_lines_are_cited_as_the_host_writes_them(web: str, path: str, lines: tuple[int, int], url: str) -> None:
    assert citation_url(page_of(web, COMMIT, path), "text/x-c", *lines) == url


def test_what_has_no_lines_of_its_own_is_cited_as_a_whole() -> None:
    page = page_of("https://github.com/a/b", COMMIT, "x.pdf")
    assert citation_url(page, "application/pdf", 3, 9) == page
    assert citation_url("https://example.org/a", "text/html", 3, 9) == "https://example.org/a"
    assert citation_url("https://example.org/a.txt", "text/plain", 3, 9) == "https://example.org/a.txt"
    assert citation_url("notes/a.md", "text/markdown", 3, 9) is None
    assert citation_url("file:a/b.md", "text/markdown", 3, 9) is None


def test_every_type_whose_extraction_is_the_file_has_lines() -> None:
    whole = {"text", "markdown", "rst", "outline", "asciidoc", "org", "info", "wiki", "pod", "settings"}
    whole |= {"json", "csv", "code", "tree-sitter"}
    types = {kind.media_type for kind in media._KINDS if kind.extractor is not None}
    wrong = [name for name in sorted(types) if has_lines(name) != (media.choose(name) in whole)]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software", "MIT"),
        ("                  Apache License\n            Version 2.0, January 2004\n", "Apache-2.0"),
        ("GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007", "GPL-3.0"),
        ("GNU AFFERO GENERAL PUBLIC LICENSE\n   Version 3, 19 November 2007", "AGPL-3.0"),
        ("Redistribution and use in source and binary forms, with or without\nmodification, are", "BSD-2-Clause"),
        ("Redistribution and use in source and binary forms, with or without\nmodification.\n Neither the name of the",
         "BSD-3-Clause"),
        ("SPDX-License-Identifier: EUPL-1.2", "EUPL-1.2"),
        ("All rights reserved.", None),
    ],
)  # fmt: skip
def test_a_licence_is_told_by_its_sentences(text: str, name: str | None) -> None:
    assert identify_licence(text) == name


# --- the list --------------------------------------------------------------------------------------------------------


def test_the_list_keeps_what_a_person_wrote(corpus: Corpus) -> None:
    place = corpus._asker.corpus
    written = "# ours\nsources:\n- name: one   # the first\n  kind: git\n  url: https://example.org/one.git\n"
    sources.list_file(place).write_text(written)
    sources.add_entry(place, GitEntry(name="two", kind="git", url="https://example.org/two.git"))
    sources.add_entry(place, FolderEntry(name="three", kind="folder", path="../three"))
    text = sources.list_file(place).read_text()
    assert text.startswith(written)
    assert [entry.name for entry in sources.read_list(place).sources] == ["one", "two", "three"]
    sources.remove_entry(place, "two")
    assert sources.list_file(place).read_text() == written + "- name: three\n  kind: folder\n  path: ../three\n"
    sources.remove_entry(place, "one")
    sources.remove_entry(place, "three")
    assert sources.read_list(place) == SourceList()


def test_a_list_in_another_style_is_still_changed(corpus: Corpus) -> None:
    place = corpus._asker.corpus
    sources.list_file(place).write_text("sources: [{name: one, kind: git, url: 'https://example.org/one.git'}]\n")
    sources.add_entry(place, FolderEntry(name="two", kind="folder", path="../two"))
    assert [entry.name for entry in sources.read_list(place).sources] == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    [
        "sources: [{name: a, kind: git}]",
        "sources: [{name: a, kind: ../shell, url: 'https://a.b'}]",
        "sources: [{name: a, kind: git, url: 'https://u:p@a.b/c'}]",
        "sources: [{name: a, kind: git, url: 'ext::sh -c id'}]",
        "sources: [{name: a, kind: git, url: 'https://a.b', run: x}]",
        "sources: [{name: ../a, kind: folder, path: b}]",
        "sources: [{name: a, kind: folder, path: b}, {name: a, kind: folder, path: c}]",
        "sources: &x [*x]",
    ],
)
def test_a_list_that_is_none_is_refused(corpus: Corpus, text: str) -> None:
    sources.list_file(corpus._asker.corpus).write_text(text)
    with pytest.raises(ConfigInvalid):
        corpus.sync()
    (problem,) = corpus.check().problems
    assert (problem["path"], problem["hint"]) == (".biblicus/sources.yml", "edit .biblicus/sources.yml")


@given(st.text(min_size=1, max_size=30))
def test_a_ref_that_passes_is_no_option_and_no_path(text: str) -> None:
    try:
        ref = ref_name(text)
    except ValueError:
        return
    assert not ref.startswith(("-", ".", "/"))
    assert ".." not in ref
    assert not set(ref) & set(" ~^:?*[\\\0\n")


@given(st.text(max_size=30))
def test_an_address_that_passes_has_a_host_and_no_password(text: str) -> None:
    try:
        found = web_address(f"https://{text}")
    except ValueError:
        return
    assert "@" not in found.removeprefix("https://").split("/")[0].split("?")[0].split("#")[0]


@pytest.mark.parametrize(
    ("address", "said", "entry"),
    [
        ("https://github.com/a/tides", {}, ("git", "tides", None)),
        ("https://github.com/a/tides/issues", {}, ("url", "issues", None)),
        ("https://example.org/a/tides.git", {}, ("git", "tides", None)),
        ("git+https://example.org/a/tides@v1.2", {}, ("git", "tides", "v1.2")),
        ("git+https://example.org/a/tides@feature/x", {}, ("git", "tides", "feature/x")),
        ("https://example.org/tides", {"ref": "main"}, ("git", "tides", "main")),
        ("https://example.org/", {}, ("url", "example-org", None)),
        ("https://example.org/docs/", {"depth": 2}, ("site", "docs", None)),
        ("https://example.org/feed.xml", {"kind": "feed"}, ("feed", "feed", None)),
    ],
)
def test_an_address_tells_its_kind(
    corpus: Corpus, address: str, said: dict[str, object], entry: tuple[str, str, str | None]
) -> None:
    listed = entry_of(corpus._asker.corpus, address, said)
    assert (listed.kind, listed.name, getattr(listed, "ref", None)) == entry


def test_an_option_of_another_kind_is_refused(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="--depth is for a site source"):
        entry_of(corpus._asker.corpus, "https://example.org/a.git", {"kind": "git", "depth": 2})


# --- the registry ----------------------------------------------------------------------------------------------------


def test_a_registry_comes_back_as_it_was(corpus: Corpus) -> None:
    header = RegistryHeader(name="x", kind="git", entry="e", toolkit="sea", state={"commit": COMMIT})
    row = Row("a.md", "a.md", "git+file:x", "0" * 64, ref=COMMIT, metadata={"author": "Ada"})
    registry = Registry(header, {"a.md": row, "b ü.md": Row("b ü.md", "b", "u", "1" * 64, gone=True)})
    sources.write_registry(corpus._asker.corpus, registry)
    assert sources.read_registry(corpus._asker.corpus, "x") == registry


@pytest.mark.parametrize("cut", [1, 30, -1, -4, -30])
def test_a_torn_registry_is_a_clean_error(corpus: Corpus, cut: int) -> None:
    place = corpus._asker.corpus
    registry = Registry(RegistryHeader(name="x", kind="git", entry="e"), {"a": Row("a", "a", "u", "0" * 64)})
    sources.write_registry(place, registry)
    file = registry_file(place, "x")
    file.write_bytes(file.read_bytes()[:cut])
    if cut == -1:
        assert sources.read_registry(place, "x") == registry  # a line feed less
        return
    with pytest.raises(ConfigInvalid):
        sources.read_registry(place, "x")


def test_a_damaged_registry_costs_no_source(tmp_path: Path, corpus: Corpus) -> None:
    corpus.add_source(str(repository(tmp_path / "up.git", {"a.md": b"words"}).path), name="x", allow_local=True)
    corpus.sync()
    before = list(corpus.list())
    file = corpus.path / ".biblicus/sources/x.json"
    good = file.read_bytes()
    file.write_bytes(good[:-9])
    report = corpus.ingest()
    assert [note["path"] for note in report.warnings] == [".biblicus/sources/x.json"]
    assert list(corpus.list()) == before
    assert [note["path"] for note in corpus.check().problems] == [".biblicus/sources/x.json"]
    corpus.sync()
    assert [item.source.kind for item in corpus.list()] == ["git"]


def test_a_damaged_registry_is_rebuilt_from_the_catalog(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"words", "b.md": b"more"})
    corpus.add_source(str(repo.path), name="x", allow_local=True, toolkit="sea")
    corpus.sync()
    before = list(corpus.list())
    (corpus.path / ".biblicus/sources/x.json").write_bytes(b"{")
    assert corpus.check(repair=True).problems == []
    assert list(corpus.list()) == before
    repo.files({"a.md": b"words", "c.md": b"more"})
    report = corpus.sync().sources[0]
    assert ([entry["from"] for entry in report.renamed], report.conflicts) == ([], [])
    assert [item.path for item in corpus.list()] == ["imports/x/a.md", "imports/x/c.md"]


# --- what a stranger's front matter says -----------------------------------------------------------------------------


def test_front_matter_of_a_stranger_names_no_id_and_no_source(tmp_path: Path, corpus: Corpus) -> None:
    text = (
        b"---\nid: mine\ntitle: Tides\ntags: [sea]\nsource: https://example.org/\ntoolkit: forged\n"
        b"metadata: {category: forged, author: Ada}\n---\nThe moon.\n"
    )
    (corpus.path / "zz.md").write_bytes(b"---\nid: mine\n---\nMine.\n")
    corpus.ingest()
    repo = repository(tmp_path / "up.git", {"a.md": text})
    corpus.add_source(str(repo.path), name="x", allow_local=True, toolkit="sea", category="guide", tags=["up"])
    corpus.sync()
    theirs, mine = corpus.list()
    assert (mine.path, mine.item_id) == ("zz.md", "mine")
    assert theirs.item_id != "mine"
    assert (theirs.title, theirs.tags) == ("Tides", ("sea", "up"))
    assert (theirs.source.kind, theirs.source.ref) == ("git", repo.commits[0])
    assert theirs.metadata == {"toolkit": "sea", "category": "guide", "author": "Ada"}


def test_a_source_gives_doctypes(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"notes/a.md": b"words", "b.md": b"words"})
    rules = [{"path": "notes/**", "doctype": "paper"}]
    corpus.add_source(str(repo.path), name="x", allow_local=True, doctypes=rules, include=["notes/**"])
    corpus.sync()
    assert [(item.path, item.doctype) for item in corpus.list()] == [("imports/x/notes/a.md", "paper")]


# --- ways a repository may be ----------------------------------------------------------------------------------------


def test_a_tag_and_a_commit_can_be_synced(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"one"})
    repo.git("tag", "-a", "-m", "first", "v1")
    repo.files({"a.md": b"two"})
    corpus.add_source(str(repo.path), name="tag", ref="v1", allow_local=True)
    corpus.add_source(str(repo.path), name="commit", ref=repo.commits[0], allow_local=True)
    corpus.add_source(str(repo.path), name="tip", allow_local=True)
    assert [one.commit for one in corpus.sync().sources] == [repo.commits[0], repo.commits[0], repo.commits[1]]
    assert [one.outcome for one in corpus.sync().sources] == ["unchanged"] * 3


def test_a_rewritten_history_is_followed(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"one", "b.md": b"two"})
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    corpus.sync()
    repo.commits.clear()
    repo.files({"a.md": b"one", "c.md": b"other"})
    report = corpus.sync().sources[0]
    assert ([e["path"] for e in report.removed], [e["path"] for e in report.added], report.unchanged) == (
        ["imports/x/b.md"],
        ["imports/x/c.md"],
        1,
    )


@pytest.mark.parametrize("what", ["empty", "gone", "no ref", "no repository"])
def test_a_source_that_is_none_fails_in_one_sentence(tmp_path: Path, corpus: Corpus, what: str) -> None:
    repo = repository(tmp_path / "up.git", None if what == "empty" else {"a.md": b"one"})
    corpus.add_source(str(repo.path), name="x", kind="git", allow_local=True, ref="no" if what == "no ref" else None)
    if what == "gone":
        repo.path.rename(tmp_path / "elsewhere")
    elif what == "no repository":
        (repo.path / "HEAD").unlink()
    with pytest.raises(IngestionError) as told:
        corpus.sync()
    assert "\n" not in told.value.message
    assert not (corpus.path / "imports").exists()


def test_a_sha256_repository_is_read(tmp_path: Path, corpus: Corpus) -> None:
    import subprocess

    subprocess.run(["git", "init", "-q", "--bare", "--object-format=sha256", "-b", "trunk", str(tmp_path / "up.git")],
                   check=True)  # fmt: skip
    from tests.sources.repositories import Repository

    repo = Repository(tmp_path / "up.git")
    repo.files({"a.md": b"one"})
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    assert corpus.sync().sources[0].commit == repo.commits[0]
    assert corpus.list()[0].source.ref == repo.commits[0]


def test_many_packs_are_begun_anew(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.sources.git._PACKS", 2)
    repo = repository(tmp_path / "up.git", {"a.md": b"0"})
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    for number in range(5):
        repo.files({"a.md": b"words " * 200 + str(number).encode(), f"{number}.md": b"more " * number + b"x"})
        assert corpus.sync().sources[0].outcome == "synced"
    assert len(list((corpus.path / ".biblicus/local/sources/x/objects/pack").glob("*.pack"))) <= 3
