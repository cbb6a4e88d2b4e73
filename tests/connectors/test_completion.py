"""Completion in a shell: the right candidates, as words and never as code, without what a key press cannot wait for."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.connectors.cli.front import completion
from biblicus.connectors.cli.front.commands import commands
from tests.front_door import biblicus, program

ITEMS = 10_000


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shore")
    for name in ("sea/tides.md", "sea/gulls.md", "sea view.md", "$(touch owned).md", "bell\a.md", 'a "b" `c`.md'):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("---\ntags: [moon, 'big sea']\n---\nText.\n", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    (folder / ".biblicus" / "personas").mkdir()
    (folder / ".biblicus" / "personas" / "keeper.yml").write_text("id: keeper\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("quer", {"query"}),
        ("run", {"runs"}),
        ("runs di", {"diff"}),
        ("--show", {"--show-completion"}),
        ("show sea", {"sea/", "sea view.md"}),
        ("show sea/", {"sea/gulls.md", "sea/tides.md"}),
        ("get sea/tides.md --lo", {"--locator"}),
        ("query moon --tag ", {"moon", "big sea"}),
        ("tag sea/tides.md -m", {"-moon"}),
        ("query moon --recipe lex", {"lexical"}),
        ("recipes show s", {"scan"}),
        ("answer x --persona ", {"keeper"}),
        ("list --sort ti", {"title"}),
        ("list --sort=ti", {"--sort=title"}),
        ("--corpus . personas show ", {"keeper"}),
        ("show sea/tides.md -C ", set()),
        ("get x --lines ", set()),
        ("nosuch ", set()),
    ],
)
def test_what_a_line_may_go_on_with(shore: Path, monkeypatch: pytest.MonkeyPatch, line: str, wanted: set[str]):
    monkeypatch.chdir(shore)
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    assert set(completion.candidates(words)) == wanted


def test_runs_are_known_by_their_ids_and_items_too(shore: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(shore / "sea")
    with Corpus.open(shore) as corpus:
        (run,) = corpus.runs()
        item = corpus.list()[-1]
    assert completion.candidates(["runs", "show", run.run_id[:9]]) == [run.run_id]
    assert completion.candidates(["show", item.item_id[:8]]) == [item.item_id]


def test_the_table_knows_every_command():
    table = json.loads(Path(completion.__file__).with_name(completion.TABLE).read_text("utf-8"))
    assert table["commands"].keys() == {command.words for command in commands()}


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "biblicus", "--complete", *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip


def test_an_item_among_ten_thousand_is_found_without_a_parser_or_a_validator(tmp_path: Path):
    line = '{"item_id":"%012x","path":"notes/%05d.md","media_type":"text/markdown","title":"A note","tags":[]}'
    rows = ",\n".join(line % (number, number) for number in range(ITEMS))
    (tmp_path / ".biblicus").mkdir()
    (tmp_path / ".biblicus" / "catalog.json").write_text(f'{{"items": [\n{rows}\n]}}\n', "utf-8")
    done = run("zsh", "biblicus", "show", "notes/0421", folder=tmp_path)
    assert done.stdout.splitlines() == [f"notes/0421{digit}.md" for digit in range(10)]
    loaded = {row.rpartition("|")[2].strip() for row in done.stderr.splitlines() if row.startswith("import time:")}
    ours = {name for name in loaded if name.split(".")[0] == "biblicus"}
    assert ours == {
        "biblicus",
        "biblicus.connectors",
        "biblicus.connectors.cli",
        "biblicus.connectors.cli.front",
        "biblicus.connectors.cli.front.completion",
        "biblicus.disk",
        "biblicus.disk.system",
    }
    assert {"json", "shlex"} <= loaded
    assert not loaded & {"typer", "pydantic", "yaml", "rich", "numpy", "subprocess", "asyncio", "inspect"}
    assert len(loaded) < 120


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert biblicus(["--show-completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "word", "replies"),
    [
        ("biblicus show sea", "sea", ["sea view.md", "sea/"]),
        ("biblicus show sea/t", "sea/t", ["sea/tides.md"]),
        ("biblicus list --sort=ti", "ti", ["title"]),
        ("biblicus list --sort=", "", ["path", "size", "title", "type", "date"]),
        ("biblicus show '$", "'$", ["$(touch owned).md"]),
        ("biblicus show bell", "bell", []),
        ("biblicus show a", "a", ['a "b" `c`.md']),
    ],
)
def test_bash_gets_words(
    shore: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, word: str, replies: list[str]
):
    if (bash := shutil.which("bash")) is None:
        pytest.skip("bash is not installed")
    asking = f"""{script("bash", capsys)}
    COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}
    _biblicus {shlex.quote(str(program(tmp_path)))} {shlex.quote(word)} biblicus
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([bash, "-c", asking], cwd=shore, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.splitlines() == (replies or [""])
    assert not (shore / "owned").exists()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_scripts_of_other_shells_are_read_without_complaint(shell: str, capsys: pytest.CaptureFixture[str]):
    text = script(shell, capsys)
    assert "--complete" in text
    if (found := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed")
    assert subprocess.run([found, "-n"], input=text, text=True, timeout=300, check=False).returncode == 0


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", ".local/share/bash-completion/completions/biblicus"),
        ("zsh", ".zfunc/_biblicus"),
        ("fish", ".config/fish/completions/biblicus.fish"),
    ],
)
def test_it_is_installed_for_the_users_shell_and_for_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, place: str
):
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    (tmp_path / ".bashrc").write_text("# mine\n", "utf-8")
    for _ in range(2):
        assert biblicus(["--install-completion"]) == 0
    assert str(tmp_path / place) in capsys.readouterr().out
    assert (tmp_path / place).read_text("utf-8") == completion.SCRIPTS[shell]
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {".bashrc", place}
    assert (tmp_path / ".bashrc").read_text("utf-8") == "# mine\n"
    (tmp_path / place).write_text("somebody else's", "utf-8")
    assert biblicus(["--install-completion", shell]) == 2
    assert "is there, and is not ours" in capsys.readouterr().err


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]):
    assert biblicus(["--show-completion", "csh"]) == 2
    assert "There is no completion for csh; known: bash, zsh, fish." in capsys.readouterr().err
