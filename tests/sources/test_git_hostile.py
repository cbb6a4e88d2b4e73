"""What a repository, its host, a clone's committed files or the environment may try: 0 commands, 0 files outside."""

import json
import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus.registries import read_registry
from biblicus.errors import BiblicusError, IngestionError, SourceUntrusted, UnsafeInput
from biblicus.sources.naming import Names, unsafe, unwanted
from tests.guards.test_fetch import certificate
from tests.sampling import crossed, some
from tests.sources.conftest import everything
from tests.sources.repositories import FILE, LINK, MODULE, SCRIPT, TREE, Repository, repository, serving

NAMES = {
    b"..": "could leave", b".": "could leave", b"../evil": "could leave", b"../../../evil": "could leave",
    b"/tmp/evil": "could leave", b"a/../../evil": "could leave", b"a//b": "could leave", b"..\\evil": "could leave",
    b".git": "hidden", b".GIT": "hidden", b".git/hooks/post-checkout": "hidden", b".biblicus": "hidden",
    b".biblicus/config.yml": "hidden", b".biblicusignore": "hidden", b".gitattributes": "hidden",
    b"CVS": "system", b"a.md.biblicus.yml": "sidecar", b"A.MD.BIBLICUS.YML": "sidecar",
    b"a\nb.md": "control", b"a\x1b[2J.md": "control", b"a\x7f.md": "control", "a\u202egpj.md".encode(): "invisible",
    ".\u200cgit".encode(): "invisible", b"x" * 250: "too long", b"~$a.docx": "hidden",
}  # fmt: skip


def sync(corpus: Corpus, repo: Repository) -> dict[str, object]:
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    return vars(corpus.sync().sources[0])


@pytest.mark.parametrize(("name", "how"), crossed(NAMES, ["file", "folder"]), ids=repr)
def test_a_name_writes_nothing_elsewhere(tmp_path: Path, corpus: Corpus, name: bytes, how: str) -> None:
    repo = repository(tmp_path / "up.git")
    good, evil = repo.blob(b"The moon pulls tides."), repo.blob(b"evil")
    bad = (FILE, name, evil) if how == "file" else (TREE, name, repo.tree([(FILE, b"evil.md", evil)]))
    repo.commit(repo.tree([bad, (FILE, b"good.md", good)]))
    before = everything(tmp_path, corpus.path)
    report = sync(corpus, repo)
    assert everything(tmp_path, corpus.path) == before
    found = {
        path.relative_to(corpus.path).as_posix() for path in corpus.path.rglob("*") if ".biblicus" not in path.parts
    }
    assert found == {"imports", "imports/x", "imports/x/good.md"}
    reasons = [note["reason"] for note in report["skipped"]]  # type: ignore[attr-defined]
    if how == "file":
        assert [NAMES[name] in reason for reason in reasons] == [True]
    assert len(reasons) == 1


def test_links_modules_and_special_files_are_left_out(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git")
    blob = repo.blob(b"words")
    link, head = repo.blob(b"../../../../etc/passwd"), repo.commit(repo.tree([]))
    pointer = repo.blob(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
    repo.commit(
        repo.tree(
            [
                (FILE, b"a.md", blob),
                (LINK, b"link", link),
                (SCRIPT, b"run.sh", blob),
                (MODULE, b"sub", head),
                (FILE, b"lfs.md", pointer),
                (FILE, b"none.md", repo.blob(b"")),
                (FILE, b"raw.bytes", repo.blob(bytes(range(256)) * 9)),
            ]
        )
    )
    report = sync(corpus, repo)
    assert {note["path"]: note["reason"] for note in report["skipped"]} == {  # type: ignore[attr-defined]
        "lfs.md": "a pointer to Git LFS, not the file itself",
        "link": "a symbolic link",
        "none.md": "empty",
        "raw.bytes": "no text can be read from application/octet-stream",
        "sub": "a submodule",
    }
    assert sorted(os.listdir(corpus.path / "imports/x")) == ["a.md", "run.sh"]
    assert (corpus.path / "imports/x/run.sh").stat().st_mode & 0o111 == 0


def test_names_that_clash_are_told(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git")
    one, two = repo.blob(b"one"), repo.blob(b"two")
    inner = repo.tree([(FILE, b"b.md", two)])
    entries = [(FILE, b"README.md", one), (FILE, b"a", one), (FILE, b"readme.md", two), (TREE, b"a", inner)]
    repo.commit(repo.tree(entries))
    report = sync(corpus, repo)
    assert [note["path"] for note in report["skipped"]] == ["a/b.md", "readme.md"]  # type: ignore[attr-defined]
    assert (corpus.path / "imports/x/README.md").read_bytes() == b"one"


# --- commands --------------------------------------------------------------------------------------------------------


def armed(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark, and the mark."""
    mark, program = tmp_path / "mark", tmp_path / "run-me"
    program.write_text(f"#!/bin/sh\necho run >> {mark}\ncat\n")
    program.chmod(0o755)
    return program, mark


HOOKS = ("reference-transaction", "post-checkout", "post-merge", "pre-auto-gc", "post-receive", "update", "pre-receive")


def booby_trapped(folder: Path, program: Path) -> str:
    """A git configuration that runs a program wherever git lets one; its hooks lie in `folder`."""
    folder.mkdir(exist_ok=True)
    for name in HOOKS:
        (folder / name).write_bytes(program.read_bytes())
        (folder / name).chmod(0o755)
    return f"""
[core]
	hooksPath = {folder}
	fsmonitor = {program}
	sshCommand = {program}
	gitProxy = {program}
	pager = {program}
	alternateRefsCommand = {program}
	askPass = {program}
[uploadpack]
	packObjectsHook = {program}
[credential]
	helper = !{program}
[filter "lfs"]
	smudge = {program}
	process = {program}
	required = true
[diff]
	external = {program}
[diff "x"]
	textconv = {program}
	command = {program}
[protocol "ext"]
	allow = always
[url "ext::{program} "]
	insteadOf = file://
[remote "origin"]
	url = ext::{program}
	uploadpack = {program}
	promisor = true
[extensions]
	partialClone = origin
"""


def test_nothing_in_a_repository_runs(tmp_path: Path, corpus: Corpus) -> None:
    program, mark = armed(tmp_path)
    repo = repository(tmp_path / "up.git", {".gitattributes": b"* filter=lfs diff=x\n", "a.md": b"words " * 90})
    trap = "[core]\n\tbare = true\n" + booby_trapped(tmp_path / "hooks", program)
    (repo.path / "config").write_text(trap)
    sync(corpus, repo)
    assert not mark.exists()
    (repo.path / "config").write_text("[core]\n\tbare = true\n")
    repo.files({"b.md": b"words " * 90 + b"more"})
    (repo.path / "config").write_text(trap)
    booby_trapped(repo.path / "hooks", program)
    assert [entry["path"] for entry in corpus.sync().sources[0].renamed] == ["imports/x/b.md"]
    assert not mark.exists()
    subprocess.run(["git", f"--git-dir={repo.path}", "fetch", "-q", ".", "trunk:other"], check=False)
    assert mark.exists(), "the trap itself must work"


def test_nothing_in_the_environment_runs(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    program, mark = armed(tmp_path)
    repo = repository(tmp_path / "up.git", {"a.md": b"words"})
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / ".gitconfig").write_text(booby_trapped(evil / "hooks", program).partition("[url")[0])
    monkeypatch.setenv("HOME", str(evil))
    for name in ("GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_PAGER", "GIT_EDITOR"):
        monkeypatch.setenv(name, str(program))
    control = tmp_path / "control.git"
    subprocess.run(
        ["git", "clone", "-q", "--bare", f"file://{repo.path}", str(control)], check=False, capture_output=True
    )
    assert mark.exists(), "the trap itself must work"
    mark.unlink()
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_TEMPLATE_DIR"):
        monkeypatch.setenv(name, str(evil))
    monkeypatch.setenv("GIT_TRACE", str(evil / "trace"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(evil / "hooks"))
    sync(corpus, repo)
    assert (corpus.path / "imports/x/a.md").exists()
    assert not mark.exists()
    assert not (evil / "trace").exists()


def test_a_clone_that_came_along_is_not_used(tmp_path: Path, corpus: Corpus) -> None:
    """Somebody's `.biblicus/local/` may hold a repository with a configuration and objects of their choice."""
    program, mark = armed(tmp_path)
    repo = repository(tmp_path / "up.git", {"a.md": b"words"})
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    forged = repository(corpus.path / ".biblicus/local/sources/x", {"a.md": b"forged"})
    (forged.path / "config").write_text("[core]\n\tbare = true\n" + booby_trapped(tmp_path / "hooks", program))
    (corpus.path / ".biblicus/local/sources/x.seal").write_bytes(b"0" * 64 + b'\n{"inode":1}')
    corpus.sync()
    assert (corpus.path / "imports/x/a.md").read_bytes() == b"words"
    assert not mark.exists()
    assert program.name not in (forged.path / "config").read_text()


@pytest.mark.parametrize("ref", ["--upload-pack=touch x", "-x", "a..b", "a b", "refs/heads/../x", "a\n", "x@{1}", "*"])
def test_a_ref_is_never_an_option(corpus: Corpus, ref: str) -> None:
    with pytest.raises(BiblicusError, match="no branch, tag or commit"):
        corpus.add_source("https://example.org/a.git", ref=ref)


def test_a_strange_default_branch_is_only_a_name(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"words"})
    strange = "refs/heads/--upload-pack=touch"
    repo.git("update-ref", strange, repo.commits[0])
    (repo.path / "HEAD").write_text(f"ref: {strange}\n")
    report = sync(corpus, repo)
    assert report["ref"] == "--upload-pack=touch"
    assert (corpus.path / "imports/x/a.md").exists()


# --- committed files -------------------------------------------------------------------------------------------------


def test_a_committed_list_connects_to_nothing(corpus: Corpus) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        port = server.getsockname()[1]
        (corpus.path / ".biblicus/sources.yml").write_text(
            f"sources:\n- {{name: a, kind: git, url: 'https://127.0.0.1:{port}/a'}}\n"
            f"- {{name: b, kind: url, url: 'http://127.0.0.1:{port}/b'}}\n"
        )
        with pytest.raises(SourceUntrusted):
            corpus.sync()
        corpus.trust()
        with pytest.raises(UnsafeInput):
            corpus.sync()
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_forged_registry_deletes_nothing_elsewhere(tmp_path: Path, corpus: Corpus) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"words"})
    sync(corpus, repo)
    victim = corpus.path / "mine.md"
    victim.write_bytes(b"words")
    corpus.ingest()
    registry = corpus.path / ".biblicus/sources/x.json"
    for path in ("../../mine.md", "/etc/passwd", "a/../../../mine.md"):
        head, row, *rest = registry.read_text().split("\n")
        forged = {**json.loads(row), "path": path, "origin": "gone.md"}
        forged.pop("crc", None)  # older ones have none
        registry.write_text("\n".join([head, json.dumps(forged), *rest]))
        report = corpus.sync().sources[0]
        assert "a path leaves its folder" in report.failed[0]["reason"]
        assert victim.read_bytes() == b"words"
        assert [item.path for item in corpus.list()] == ["imports/x/a.md", "mine.md"]


@pytest.mark.parametrize(
    "at", ["imports", "imports/x", "imports/x/docs", ".biblicus/sources", ".biblicus/local/sources"]
)
def test_a_link_leads_nowhere(tmp_path: Path, corpus: Corpus, at: str) -> None:
    repo = repository(tmp_path / "up.git", {"docs/a.md": b"words"})
    outside = tmp_path / "outside"
    outside.mkdir()
    link = corpus.path / at
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    link.parent.mkdir(parents=True, exist_ok=True)
    if link.is_dir():
        link.rmdir()
    link.symlink_to(outside)
    with pytest.raises(UnsafeInput):
        corpus.sync()
    assert list(outside.iterdir()) == []


# --- size ------------------------------------------------------------------------------------------------------------


def test_a_tree_without_end_is_refused(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten folders of the same tree, twelve deep: a trillion files in a few kilobytes."""
    monkeypatch.setenv("BIBLICUS_SOURCE_DOCUMENTS", "2000")
    repo = repository(tmp_path / "up.git")
    tree = repo.tree([(FILE, b"a.md", repo.blob(b"words"))])
    for _ in range(12):
        tree = repo.tree([(TREE, f"d{number}".encode(), tree) for number in range(10)])
    repo.commit(tree)
    began = time.process_time()
    with pytest.raises(IngestionError, match="more than 20,000 files"):
        sync(corpus, repo)
    assert time.process_time() - began < 5
    assert not (corpus.path / "imports").exists()


def test_one_blob_under_many_names_has_a_bound(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_SOURCE_BYTES", str(2 << 20))
    repo = repository(tmp_path / "up.git")
    blob = repo.blob(b"words " * 40_000)
    repo.commit(repo.tree([(FILE, f"{number}.md".encode(), blob) for number in range(20)]))
    with pytest.raises(IngestionError, match="more than 2,097,152 bytes"):
        sync(corpus, repo)


def test_a_large_file_is_left_out(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_SOURCE_FILE_BYTES", "1000")
    report = sync(corpus, repository(tmp_path / "up.git", {"a.md": b"words", "b.md": b"w" * 1001}))
    assert report["skipped"] == [{"path": "b.md", "reason": "larger than 1,000 bytes"}]


# --- over https ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", some(["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "169.254.169.254", "0.0.0.0"], 2)
)
def test_a_private_address_is_not_asked(corpus: Corpus, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        corpus.add_source(f"https://{host}:{server.getsockname()[1]}/a.git", name="x")
        with pytest.raises(UnsafeInput):
            corpus.sync()
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_repository_over_https(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path / "up.git", {"a.md": b"words"})
    monkeypatch.setenv("GIT_SSL_CAINFO", str(tmp_path / "cert.pem"))
    with serving(tmp_path, certificate(tmp_path)) as served:
        corpus.add_source(f"{served.url}/up.git", name="x", allow_private=True)
        assert corpus.sync().sources[0].commit == repo.commits[-1]
        repo.files({"a.md": b"words", "b.md": b"more"})
        report = corpus.sync().sources[0]
        assert (report.added, report.unchanged) == ([{"path": "imports/x/b.md"}], 1)
        assert corpus.list()[0].source.uri == f"git+{served.url}/up.git@{repo.commits[0]}/a.md"
    monkeypatch.delenv("GIT_SSL_CAINFO")


def test_a_certificate_is_checked(tmp_path: Path, corpus: Corpus) -> None:
    repository(tmp_path / "up.git", {"a.md": b"words"})
    with serving(tmp_path, certificate(tmp_path)) as served:
        corpus.add_source(f"{served.url}/up.git", name="x", allow_private=True)
        with pytest.raises(IngestionError, match="certificate"):
            corpus.sync()
        assert served.asked == []


def test_a_redirect_is_not_followed(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path / "up.git", {"a.md": b"words"})
    context = certificate(tmp_path)
    monkeypatch.setenv("GIT_SSL_CAINFO", str(tmp_path / "cert.pem"))
    with serving(tmp_path, context) as there, serving(tmp_path, context, redirects=there.url) as here:
        corpus.add_source(f"{here.url}/up.git", name="x", allow_private=True)
        with pytest.raises(IngestionError):
            corpus.sync()
        assert here.asked
        assert there.asked == []


def test_a_silent_host_is_given_up(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_SOURCE_SECONDS", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []
        threading.Thread(target=lambda: kept.append(server.accept()[0]), daemon=True).start()
        corpus.add_source(f"https://127.0.0.1:{server.getsockname()[1]}/a.git", name="x", allow_private=True)
        began = time.monotonic()
        with pytest.raises(IngestionError, match="longer than 1 s"):
            corpus.sync()
        assert time.monotonic() - began < 10


# --- parts -----------------------------------------------------------------------------------------------------------


def test_ordinary_names_are_fine() -> None:
    for path in ("a.md", "docs/a b.md", "Übung/ß.txt", "a-b_c.d/e+f.py", "x" * 200, "a.biblicus.yml.md"):
        assert unsafe(path) is None


@pytest.mark.parametrize(
    ("path", "include", "reason"),
    [
        ("node_modules/x/i.js", (), "vendored or generated"),
        ("a/Vendor/x.go", (), "vendored or generated"),
        ("third_party/x.c", (), "vendored or generated"),
        ("web/dist/app.js", (), "vendored or generated"),
        ("vendor.md", (), None),
        ("docs/vendor/x.md", ("docs/vendor/**",), None),
        ("a.min.js", (), "minified or generated"),
        ("package-lock.json", (), "minified or generated"),
        ("logo.PNG", (), "no text in files of this kind"),
        ("docs/a.md", ("docs/**",), None),
        ("a.md", ("docs/**",), ""),
        ("png", (), None),
    ],
)
def test_what_is_plainly_unwanted(path: str, include: tuple[str, ...], reason: str | None) -> None:
    assert unwanted(path, include, ()) == reason


def test_unicode_forms_clash() -> None:
    names = Names()
    assert names.clash("caf\u00e9.md") is None
    assert "Unicode form" in (names.clash("cafe\u0301.md") or "")


def test_a_registry_says_nothing_of_this_machine(tmp_path: Path, corpus: Corpus) -> None:
    sync(corpus, repository(tmp_path / "up.git", {"a.md": b"words"}))
    text = (corpus.path / ".biblicus/sources/x.json").read_text() + (corpus.path / ".biblicus/catalog.json").read_text()
    assert str(tmp_path) not in text
    assert os.sep + "tmp" not in text
    registry = read_registry(corpus._asker.corpus, "x")
    assert registry is not None
    assert list(registry.rows) == ["a.md"]
