"""Table of all kinds of files in `.biblicus/`, with detection of damage and repair; the result of a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeVar

from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread
from biblicus.runs import manifests as runs
from biblicus.runs.build import tables_fit
from biblicus.stores.contract import RunStore

Damage = Literal["deleted", "garbled", "truncated", "flipped"]
"""Kinds of damage: the file is missing, has random bytes, is truncated, or has a flipped bit."""
DAMAGES: tuple[Damage, ...] = ("deleted", "garbled", "truncated", "flipped")
Mending = Literal["reindex", "repair", "you", "nothing"]
"""Means of repair: `reindex`, `check --repair`, the user; or none needed."""
_YOURS = "yours: read, its syntax and keys are checked"
_SEALED = "its seal (one cut short is a note: a crash may do that)"
_READ_DATA = "with `--read-data`"
Found = TypeVar("Found")


@dataclass(frozen=True)
class Kind:
    """A kind of file. `path`: below `.biblicus/`; a word in angle brackets is any name, `**` any path.

    `unseen`: damage that is undetectable or harmless. `mended`: the result of a repair. `command`: the repair command,
    with names in angle brackets taken from the path."""

    path: str
    checked: str
    mends: Mending
    mended: str
    command: str = ""
    unseen: frozenset[Damage] = frozenset()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return a pattern for paths of this kind."""
        parts = re.split(r"(<\w+>|\*\*)", self.path)
        named = [f"(?P{part}[^/]+)" if part.startswith("<") else re.escape(part) for part in parts]
        return re.compile("".join(".+" if part == r"\*\*" else part for part in named))


def _unseen(*damages: Damage) -> frozenset[Damage]:
    return frozenset(damages)


_AN_EDIT = _unseen("deleted", "truncated", "flipped")
"""Damage that cannot be distinguished from an edit."""
_ALL = frozenset(DAMAGES)

# fmt: off
KINDS = (
    Kind("config.yml", _YOURS + "; its corpus_id is held against the catalog's", "repair",
         "written anew with the corpus's own id; its name and rules are the defaults", "biblicus check --repair",
         _unseen("flipped")),
    Kind("catalog.json", "digests of the header and of the items; runs or caches tell that there was one", "reindex",
         "made anew: ids from the newest run, all else from your files", "biblicus reindex"),
    Kind(".gitignore", "it leaves out `local/`, and takes nothing back", "reindex",
         "written anew by every command that writes", "biblicus reindex"),
    Kind("editorial.jsonl", "a digest of every line; the approvals that the catalog names must be there", "you",
         "it is taken from git (what a merge left between its lines: `check --repair`)",
         "git checkout .biblicus/editorial.jsonl"),
    Kind("approved/<sha256>", "its name is its digest; what stands approved, or is published, must be there", "repair",
         "kept anew from the file, where that is as it was approved; else it is taken from git",
         "biblicus check --repair"),
    Kind("publications/<publication>.json", "a digest of itself; its run must be there", "you",
         "it is taken from git", "git checkout .biblicus/publications/<publication>.json", _unseen("deleted")),
    Kind("notes/<note>.json", "its name and its hash are digests of what it says", "you",
         "it is taken from git", "git checkout .biblicus/notes/<note>.json", _unseen("deleted")),
    Kind("alerts/<alert>.json", _YOURS, "you", "you write it, or remove it and add it again",
         "edit .biblicus/alerts/<alert>.json", _AN_EDIT),
    Kind(".gitattributes", "it says how git merges the log", "repair", "written anew", "biblicus check --repair"),
    Kind("runs/<run>.json", "a digest of itself; the latest runs must be there", "repair",
         "put aside, and its recipe built anew (a latest one that is gone: `reindex`)", "biblicus check --repair",
         _unseen("deleted")),
    Kind("runs/<run>.kept", "empty: that it is there counts", "nothing", "", unseen=_ALL),
    Kind("sources/<source>.json", "a checksum on every line; a source whose copies are here must have one", "you",
         "a sync knows the copies by their bytes (`check --repair`: made of the catalog)",
         "biblicus sources sync <source>"),
    Kind("sources.yml", _YOURS + "; it must be there where sources were synced", "you",
         "you write it, or take it from git", "edit .biblicus/sources.yml", _unseen("truncated", "flipped")),
    Kind("weights.yml", _YOURS, "you", "you write it, or delete it and weigh again",
         "edit .biblicus/weights.yml", _AN_EDIT),
    Kind("context.yml", _YOURS, "you", "you write it", "edit .biblicus/context.yml", _AN_EDIT),
    Kind("access.yml", _YOURS, "you", "you write it; until then only the owner sees items", "edit .biblicus/access.yml",
         _AN_EDIT),
    Kind("recipes/<recipe>.yml", _YOURS, "you", "you write it (a run's manifest holds the whole recipe)",
         "edit .biblicus/recipes/<recipe>.yml", _AN_EDIT),
    Kind("personas/<persona>.yml", _YOURS, "you", "you write it", "biblicus personas check <persona>", _AN_EDIT),
    Kind("datasets/golden.yml", _YOURS, "you", "you write it", "edit .biblicus/datasets/golden.yml", _AN_EDIT),
    Kind("datasets/<report>.json", "a report that is kept to compare with: `eval --baseline` reads it", "nothing", "",
         unseen=_ALL),
    Kind("datasets/<dataset>/**", _YOURS, "you", "you write it, or import it again",
         "biblicus datasets show <dataset>", _AN_EDIT),
    Kind("local/index/<run>/**", "the digests of its seal", "reindex",
         "built anew from your files (an older run's: `check --repair` deletes it)", "biblicus reindex"),
    Kind("local/mirrors/<run>/**", "the digests of its seal; one that is damaged is not used", "nothing",
         "fetched again from the store", unseen=_ALL),
    Kind("local/views/**", "the digests of its seals; one that is damaged is not used", "nothing",
         "made anew for the next question of a reader", unseen=_ALL),
    Kind("local/vectors/<model>/**", "the digests of its seal, the bytes " + _READ_DATA, "reindex",
         "embedded anew", "biblicus reindex"),
    Kind("local/scan.json", _SEALED, "reindex", "your files are read again", "biblicus reindex",
         _unseen("deleted", "truncated")),
    Kind("local/stamps.json", _SEALED, "reindex", "your files are read again", "biblicus reindex",
         _unseen("deleted", "truncated")),
    Kind("local/folder.json", _SEALED, "reindex", "your files are read again", "biblicus reindex",
         _unseen("deleted", "truncated")),
    Kind("local/cache/total", "a count by its length, made anew where it does not fit", "nothing", "", unseen=_ALL),
    Kind("local/cache/**", _SEALED + "; one that is damaged is not used", "repair",
         "deleted, and made when it is needed", "biblicus check --repair", _unseen("deleted", "truncated")),
    Kind("local/events/<segment>", "checksums of its lines, " + _READ_DATA, "repair",
         "another log begins; cursors of the old one are refused", "biblicus check --repair",
         _unseen("deleted", "truncated")),
    Kind("local/evaluations/<evaluation>.json", "a digest of itself", "repair",
         "put aside: what was measured cannot be derived", "biblicus check --repair", _unseen("deleted")),
    Kind("local/alerts/<alert>.json", _SEALED + "; one that is damaged is not used", "nothing",
         "", unseen=_ALL),
    Kind("local/sources/lock", "empty: only its lock counts", "nothing", "", unseen=_ALL),
    Kind("local/sources/<source>.seal", "its seal", "you", "what was fetched is fetched again",
         "biblicus sources sync <source>", _unseen("deleted")),
    Kind("local/sources/<source>/**", "by git and by the kind of source when it is synced", "nothing",
         "fetched again", "", _ALL),
    Kind("local/promoting.json", "its seal: what a writer that died was promoting; the next one finishes it", "nothing",
         "", unseen=_ALL),
    Kind("local/lock", "empty: only its lock counts", "nothing", "", unseen=_ALL),
    Kind("local/damaged/**", "what `check --repair` and `reindex` put aside; delete it when you like", "nothing", "",
         unseen=_ALL),
)
# fmt: on


def kind_of(path: str) -> Kind | None:
    """Return the kind of a file by its path below `.biblicus/`; None if unknown."""
    return next((kind for kind in KINDS if kind.pattern.fullmatch(path)), None)


def command_for(path: str) -> str:
    """Return the repair command for a path below `.biblicus/`; empty if unknown."""
    fitting = ((kind, kind.pattern.fullmatch(path) or kind.pattern.fullmatch(f"{path}/-")) for kind in KINDS)
    command, parts = next(((kind.command, match) for kind, match in fitting if match), ("", None))
    return re.sub(r"<(\w+)>", lambda name: parts[name[1]], command) if parts else ""


@dataclass
class CheckReport:
    """Result of a check.

    `problems`: each with `path`, `reason` and, as `hint`, the command to run. `notes`: further information. `repaired`:
    repairs done. `unread`: unreadable files, and `sandbox`: protection of the parsers, both on request. `pruned`:
    number of cached entries deleted, and their bytes."""

    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    unread: list[Unread] | None = field(default=None, metadata=LEFT_OUT)
    sandbox: Mapping[str, str] | None = field(default=None, metadata=LEFT_OUT)
    checked: dict[str, int] = field(default_factory=dict)
    pruned: tuple[int, int] | None = field(default=None, metadata=LEFT_OUT)

    def problem(self, path: str, reason: str, hint: str = "") -> None:
        """Add a problem. `hint`: the command to run, if it is not the usual one for this kind of file."""
        if path.startswith(f"{FOLDER}/") and not hint:
            hint = command_for(path.removeprefix(f"{FOLDER}/"))
        self.problems.append({"path": path, "reason": reason, **({"hint": hint} if hint else {})})

    def note(self, path: str, reason: str) -> None:
        self.notes.append({"path": path, "reason": reason})

    def guard(self, path: str, read: Callable[[], Found]) -> Found | None:
        """Return what a function reads; an error is a problem of this path, and None is returned."""
        try:
            return read()
        except BiblicusError as error:
            self.problem(path, error.message.removeprefix(path).removeprefix(":").strip())
            return None


def tables_fit_run(corpus: CorpusFolder, run_id: str, store: RunStore | None = None) -> bool:
    """Check if a materialization's tables, by default in the corpus's store, match the run's manifest."""
    with closing((store or corpus.store).tables(run_id)) as reader:
        return tables_fit(reader, runs.read(corpus, run_id))
