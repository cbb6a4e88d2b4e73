"""docs/cli.md: every command with an example that a test runs; the full help of each for the site and the manual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import typer

from biblicus.config import Settings
from biblicus.connectors.cli.front.app import GROUPS, app

WIDTH = 96
MARK = "<!-- Written by `make docs` from the command line's own help; edit tools/cli_page.py or the commands. -->"

_HEAD = f"""# Command line

{MARK}

```
biblicus COMMAND [options]
```

`biblicus COMMAND -h` prints a command's options. The site has a page for each with more examples, and `man biblicus`
has them all.

**Which corpus.** The one you stand in: the nearest folder upward that holds `.biblicus/`. Or name one with `-C PATH`,
or with `-C corpus://NAME` one that your settings know under `places`.

**Where it is asked.** What reads takes `--at`: `local` (this process), `daemon` (kept warm in the background), the
address of a service, or several by comma, of which the first that answers does. [hosting.md](hosting.md) has the rest.

**Which item.** By id, by the beginning of its id where that is unambiguous, or by its path: in the corpus, or from the
folder where you stand.

**Filters** mean the same in `list` and `query`, and act before anything is ranked or counted. Several `--tag` or
`--where` must all hold; of several `--type`, `--doctype`, `--language` or `--path` one is enough. In a glob, `*`
stays within a folder and `**` crosses folders; a plain name is a file, or a folder with all below it. `--type` takes
`text/markdown`, `text/*`, `pdf` or a suffix of files: `docx`, `md`.

**Output.** Results go to standard output, progress and errors to standard error. With `--json`, standard output
carries exactly one JSON document; [schemas/](schemas/) holds its JSON Schema for `query`, `context`, `answer`,
`ingest`, `reindex`, `list`, `verify`, catalogs, manifests and recipes. Control characters in texts are made visible on
a terminal; `get --raw` prints them as they are.

**Exit codes.** 0 done · 1 internal · 2 usage · 3 not found · 4 a check failed · 5 bad data · 6 unavailable · 7
refused. All errors: [errors.md](errors.md). A file that fails in `ingest` or `reindex` is reported and costs only
itself; with `--strict` it makes the exit code 4.
"""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "init": ("biblicus init", 'biblicus init ~/papers --name "Papers I keep"'),
    "ingest": (
        "biblicus ingest",
        'biblicus ingest ~/Downloads/tides.html --title "Tide tables" --tag tides --meta author=Ada',
        "echo 'Grease the winch in May.' | biblicus ingest - --title Winch --into notes",
    ),
    "remove": ("biblicus remove imports/tides.html",),
    "tag": ("biblicus tag notes/lamp.md +light -maintenance",),
    "stats": ("biblicus stats",),
    "check": ("biblicus check", "biblicus check --read-data", "biblicus check --repair"),
    "doctor": ("biblicus doctor", "biblicus doctor --remote"),
    "trust": ("biblicus trust",),
    "list": (
        "biblicus list",
        "biblicus list --type pdf",
        "biblicus list --path 'notes/**' --language en",
        "biblicus list --sort size --type markdown",
        "biblicus list -0 --format paths",
    ),
    "show": ("biblicus show notes/lamp.md", "biblicus show notes/lamp.md --links"),
    "get": (
        "biblicus get notes/lamp.md",
        "biblicus get notes/lamp.md --lines 6:9",
        "biblicus get rules/handbook.pdf --page 3",
        "biblicus get rules/handbook.pdf --image page.png --mark 310:402",
    ),
    "facets": ("biblicus facets", "biblicus facets --tag moon", "biblicus facets --json"),
    "tree": ("biblicus tree", "biblicus tree notes", "biblicus tree --depth 1"),
    "reindex": ("biblicus reindex", "biblicus reindex --recipe scan", "biblicus reindex --fresh --json"),
    "query": (
        'biblicus query "How long may a visiting boat stay in winter?"',
        "biblicus query '\"grey seals\" 2024' --tag nature -n 3",
        "biblicus query paraffin --max-tokens 200 --json",
        "biblicus query seals --recipe scan",
        "biblicus query seals --at local --timeout 10",
        "biblicus query seals --format vimgrep",
        "biblicus query seals --format '{path}:{line_start}: {snippet}'",
    ),
    "answer": (
        'biblicus answer "When are the seals counted?"',
        'biblicus answer "How long may a visiting boat stay?" --max-words 30 --path "rules/**"',
        'biblicus answer "When are the seals counted?" --json | biblicus verify -',
    ),
    "chat": ("printf 'When are the seals counted?\\nAnd who counts them?\\n' | biblicus chat",),
    "context": (
        'biblicus context "When are the seals counted?" --max-tokens 500',
        "biblicus context 'visiting boats in winter' --format xml --order source --share 0.5",
        "biblicus context seals --format json | biblicus verify -",
    ),
    "events": ("biblicus events", "biblicus events --after now --json"),
    "verify": (
        "biblicus query 'spill kit' --json | biblicus verify -",
        "biblicus verify --citations README.md",
    ),
    "runs list": ("biblicus runs list",),
    "runs show": ("biblicus runs show lexical",),
    "runs diff": ("biblicus runs diff lexical scan",),
    "runs verify": ("biblicus runs verify lexical",),
    "runs keep": ("biblicus runs keep lexical", "biblicus runs keep lexical --release"),
    "runs prune": ("biblicus runs prune --keep 3",),
    "recipes list": ("biblicus recipes list",),
    "recipes show": ("biblicus recipes show lexical",),
    "recipes new": ("biblicus recipes new mine --from lexical",),
    "personas new": ("biblicus personas new keeper --name 'The keeper on duty'",),
    "personas list": ("biblicus personas list",),
    "personas show": ("biblicus personas show keeper",),
    "promote": (
        "biblicus promote notes/boat-shed.md --to published --reviewer 'Ingrid Moe' --reason 'read through'",
        "biblicus promote notes/shiomi.md --to published",
    ),
    "retract": ("biblicus retract published/shiomi.md --reason 'out of date'",),
    "publish": ("biblicus publish spring-2026", "biblicus publish spring-lexical --recipe lexical"),
    "publications": ("biblicus publications",),
    "context-of": ("biblicus context-of published/boat-shed.md",),
    "editorial status": ("biblicus editorial status", "biblicus editorial status --json"),
    "editorial log": ("biblicus editorial log", "biblicus editorial log published/boat-shed.md -n 5"),
    "editorial diff": ("biblicus editorial diff published/boat-shed.md",),
    "note add": (
        'biblicus note add notes/lamp.md "Since when?" --quote "The lamp stands on the head of the north mole."',
    ),
    "note list": ("biblicus note list", "biblicus note list keeper"),
    "note remove": ("biblicus note remove $(biblicus note list | head -1 | cut -d' ' -f1)",),
    "note export": ("biblicus note export --as obsidian",),
    "alerts add": ("biblicus alerts add fees 'What does a berth cost?' --path 'tariff/**'",),
    "alerts list": ("biblicus alerts list",),
    "alerts feed": ("biblicus alerts feed fees",),
    "alerts remove": ("biblicus alerts remove fees",),
    "weight set": ("biblicus weight set notes/lamp.md 2", "biblicus weight set 'drafts/**' 0.5 --ttl 30"),
    "weight list": ("biblicus weight list",),
    "weight clear": ("biblicus weight clear",),
    "version": ("biblicus version", "biblicus version --json"),
    "personas check": ("biblicus personas check", "biblicus personas check keeper --json"),
    "sources add": (
        "biblicus sources add https://github.com/pallets/flask --include 'docs/**' --toolkit flask",
        "biblicus sources add ~/Downloads --name downloads --allow-local",
    ),
    "sources import": ("biblicus sources import ~/Downloads/repositories.yml",),
    "sources export": ("biblicus sources export", "biblicus sources export --json"),
    "sources list": ("biblicus sources list",),
    "sources sync": ("biblicus sources sync downloads --dry-run", "biblicus sources sync downloads"),
    "sources remove": ("biblicus sources remove downloads",),
    "bibliography": (
        "biblicus bibliography ~/Downloads/refs.bib --dry-run",
        "biblicus bibliography ~/Downloads/refs.bib",
    ),
    "daemon start": ("biblicus daemon start",),
    "daemon status": ("biblicus daemon status",),
    "daemon logs": ("biblicus daemon logs -n 5",),
    "daemon stop": ("biblicus daemon stop",),
    "open": ("biblicus open", "biblicus open notes papers", "biblicus open --no-browser --port 8800"),
    "watch": ("biblicus watch",),
    "serve": (
        "biblicus serve",
        "biblicus serve notes=~/notes manuals=~/manuals --port 8765",
        "biblicus serve ~/notes --host 0.0.0.0 --allow-host notes.example",
    ),
    "mcp": ("biblicus mcp ~/notes", "biblicus mcp notes=~/notes manuals=~/manuals --allow-ingest"),
    "token new": ("biblicus token new --scope ingest --name laptop",),
    "token list": ("biblicus token list",),
    "token revoke": ("biblicus token revoke $(biblicus token list | head -1 | cut -d' ' -f1)",),
    "datasets import": ("biblicus datasets import ../questions.jsonl --name harbour",),
    "datasets list": ("biblicus datasets list",),
    "datasets show": ("biblicus datasets show harbour",),
    "eval": (
        "biblicus eval ../questions.jsonl",
        "biblicus eval ../questions.jsonl --recipe lexical --metric ndcg --metric success -k 1 -k 5",
        "biblicus eval ../questions.jsonl --recipe scan --baseline lexical --fail-if 'ndcg@10 < baseline - 0.01'",
        "biblicus eval ../questions.jsonl --answers --recipe lexical",
    ),
    "models list": ("biblicus models list",),
    "models get": ("biblicus models get judge.onnx",),
    "datasets synthesize": ("biblicus datasets synthesize --name made -n 12",),
    "tune": (
        "biblicus tune ../questions.jsonl --over retrieve.candidates=5,50",
        "biblicus tune ../questions.jsonl --over build.legs.lexical.title=none,prefix --holdout 0.3 --save tuned",
    ),
}
"""Example lines by command; tests/docs/test_readme.py runs every one of them, in this order, in the harbour."""


def page() -> str:
    """Return docs/cli.md: commands by the groups of the help page, each with an example, and the settings."""
    parts = [_HEAD]
    for group, names in GROUPS.items():
        parts += [f"## {group}\n", "| command | |\n|---|---|"]
        members = [(name, command) for name, command in _typed() if name.split()[0] in names]
        parts.append("".join(f"| `{name}` | {summary(command)} |\n" for name, command in members))
        shown = [line for name, _ in members for line in EXAMPLES.get(name, ())[:1]]
        parts.append("```console\n" + "".join(f"$ {line}\n" for line in shown) + "```\n")
    return "\n".join([*parts, _settings()])


def command_page(name: str) -> str:
    """Return the page of one command: its help, letter by letter, and its examples."""
    command = dict(commands())[name]
    examples = "".join(f"$ {line}\n" for line in EXAMPLES.get(name, ()))
    shown = f"```console\n{examples}```\n" if examples else ""
    return f"# biblicus {name}\n\n{_fenced(help_of(command, name))}\n{shown}"


def summary(command: Any) -> str:
    """Return the first sentence of a command's help, as the list of commands shows it."""
    return str(command.get_short_help_str(limit=200))


def front_help() -> str:
    """Return the help page of `biblicus` itself."""
    return help_of(_root(), "")


@cache
def _root() -> Any:
    return typer.main.get_command(app())


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its full name, groups before their members, in the order of the help page."""
    for name, command in _root().commands.items():
        yield name, command
        for member, inner in getattr(command, "commands", {}).items():
            yield f"{name} {member}", inner


def _typed() -> Iterator[tuple[str, Any]]:
    """Every command that does something by itself, so no group."""
    return ((name, command) for name, command in commands() if not getattr(command, "commands", None))


def help_of(command: Any, name: str) -> str:
    """A command's help page, at a fixed width whatever the terminal."""
    at = _root()
    context = at.make_context("biblicus", [], resilient_parsing=True)
    for part in name.split():
        at = at.commands[part]
        context = at.make_context(part, [], parent=context, resilient_parsing=True)
    context.terminal_width = context.max_content_width = WIDTH
    text: str = command.get_help(context)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def _fenced(text: str) -> str:
    return f"```text\n{text.strip()}\n```\n"


def _settings() -> str:
    """The user's settings with their defaults."""
    rows = ["| key | environment | default | meaning |", "|---|---|---|---|"]
    for field in fields(Settings):
        key, meaning = field.name, field.metadata["description"]
        nothing = "none" if "Setting" in str(field.type) else "the corpus's"
        default = _default(getattr(Settings(), key), nothing)
        rows.append(f"| `{key}` | `BIBLICUS_{key.upper()}` | {default} | {meaning} |")
    return _SETTINGS_HEAD + "\n".join(rows) + "\n"


def _default(value: Any, nothing: str) -> str:
    if value is None:
        return nothing
    return f"{value:,}".replace(",", " ") if isinstance(value, int | float) else str(value or "none")


_SETTINGS_HEAD = """## Settings

For this machine, in `~/.config/biblicus/config.yml` (`XDG_CONFIG_HOME` and `BIBLICUS_CONFIG_HOME` are honoured) or in
the environment, which wins. Sizes in bytes, times in seconds. A corpus cannot set any of these: what a stranger
commits never loosens a limit. The key that seals indexes lies in `~/.local/state/biblicus/` (`XDG_STATE_HOME`,
`BIBLICUS_STATE_HOME`).

A folder that you cannot write to, or that another user owns, is never written to. The first `reindex`, `query`,
`context` or `answer` in it makes the index in your cache folder, and a line says where. That folder is
`~/.cache/biblicus/corpora/` (`XDG_CACHE_HOME`, `BIBLICUS_CACHE_HOME`; on macOS `~/Library/Caches`). Delete it there
to start again. Where `init` would ask first (`/`, a home folder, a disk), type `init`.

"""
