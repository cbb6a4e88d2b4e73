"""The corpus folder on disk: its location, layout, configuration and lock."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from biblicus import corpus
from biblicus.config import CorpusConfig, Settings, load_settings, options_of, read_mapping
from biblicus.contracts import Call
from biblicus.corpus import editorial
from biblicus.disk import changes, files, system
from biblicus.disk.cache import BoundedCache
from biblicus.errors import (
    ConfigInvalid,
    CorpusNotFound,
    NotUtf8,
    ReaderLimited,
    ReadOnlyCorpus,
    SourceNotFound,
    UnsafeInput,
    UsageError,
)
from biblicus.errors.families import typed
from biblicus.guards.processes import user_folder
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import AUTO
from biblicus.sources.ignoring import OwnRules, is_hidden, own_rules
from biblicus.stores.local import LATER, LocalStore, delete_marked
from biblicus.text.paths import to_os

if TYPE_CHECKING:
    from biblicus.corpus.catalog import Catalog
    from biblicus.models.evidence import Result
    from biblicus.models.requests.query import QueryRequest
    from biblicus.stores.contract import RunStore

FOLDER = ".biblicus"
VAULT = ".obsidian"
"""The folder that marks an Obsidian vault."""
_AS_WRITTEN = re.compile(r"corpus_id: ([0-9a-f]{32})\nname: (?!(?:null|Null|NULL)\n)([A-Za-z][A-Za-z0-9_-]*)\n")


class _Closable(Protocol):
    def close(self) -> None: ...


Closed = TypeVar("Closed", bound=_Closable)


class Host(Protocol):
    """Long-running process that caches a corpus's catalog and open runs between requests.

    `embeds_later`: a thread of the process builds the vectors after words were indexed."""

    @property
    def embeds_later(self) -> bool: ...

    def catalog(self, corpus: CorpusFolder) -> Catalog:
        """Return the catalog, for reading."""

    def search(self, request: QueryRequest, call: Call) -> Result:
        """Return evidence from runs that stay open."""

    def elsewhere(self, name: str) -> Callable[[QueryRequest, Call], Result]:
        """Return a function that queries another corpus of the user's settings: `corpus://NAME`."""

    def remembered(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a value that is computed once for each state of the corpus."""

    def kept(self, name: str, make: Callable[[], Closed]) -> Closed:
        """Return a value that is made once and closed when the process becomes idle."""


class _Below:
    """A path below a folder of the corpus: `of` is the folder's attribute, `name` the rest of the path."""

    def __init__(self, of: str, name: str) -> None:
        self._of, self._name = of, name

    def __get__(self, corpus: CorpusFolder, owner: type[CorpusFolder]) -> Path:
        folder: Path = getattr(corpus, self._of)
        return folder / self._name


@dataclass(frozen=True)
class CorpusFolder:
    """Paths and configuration of a corpus. `root` is absolute; only this class derives paths below it.

    `host`: the process's cache of the corpus, or None. `view`: name of a view, the corpus as some readers see it (see
    `runs.views`): it has its own catalog, runs and indexes, and shares the rest."""

    root: Path
    host: Host | None = field(default=None, compare=False, repr=False)
    view: str = ""

    recipes = _Below("home", "recipes")
    personas = _Below("home", "personas")
    datasets = _Below("home", "datasets")
    sources = _Below("home", "sources")
    """Registries of the sources."""
    editorial = _Below("home", "editorial.jsonl")
    """Log of reviews, promotions and retractions."""
    approved = _Below("home", "approved")
    """Approved bytes, each file named by its sha256."""
    publications = _Below("home", "publications")
    views = _Below("home", "local/views")
    """Views of the corpus (see `runs.views`)."""
    index = _Below("local", "index")
    mirrors = _Below("local", "mirrors")
    """Copies of database tables (see `stores.mirrored`)."""
    cache = _Below("home", "local/cache")
    vectors = _Below("home", "local/vectors")
    clones = _Below("home", "local/sources")
    """Data fetched by sources."""
    evaluations = _Below("local", "evaluations")
    events = _Below("local", "events")
    damaged = _Below("local", "damaged")
    """Files that `check --repair` replaced."""

    @cached_property
    def home(self) -> Path:
        """Return the folder `.biblicus`: in `root`, or in this user's cache if `root` is read-only and has no index."""
        return home_of(self.root)

    @property
    def is_cached(self) -> bool:
        """Return true if `root` is never written to."""
        return self.home.parent != self.root

    @cached_property
    def catalog(self) -> Path:
        return (self.local if self.view else self.home) / "catalog.json"

    @cached_property
    def config_file(self) -> Path:
        return self.home / "config.yml"

    @property
    def runs(self) -> Path:
        return (self.local if self.view else self.home) / "runs"

    @property
    def local(self) -> Path:
        return self.views / self.view if self.view else self.home / "local"

    @cached_property
    def kept(self) -> BoundedCache:
        """Return the cache of extractions, bounded by the user's settings."""
        return BoundedCache(self.cache, self.settings.cache_bytes)

    @cached_property
    def store(self) -> RunStore:
        """Return the store of the corpus's runs. Raises `ConfigInvalid`, `UnknownStore`."""
        if not self.view and (self.settings.store or self.settings.corpora):
            return corpus.store_binding.store_of(self)
        return LocalStore(self.index)

    @cached_property
    def settings(self) -> Settings:
        return load_settings()

    @cached_property
    def config(self) -> CorpusConfig:
        """Return the committed configuration, validated."""
        where = f"{FOLDER}/config.yml"
        try:
            text = files.read(self.config_file, limit=files.SMALL).decode()
        except (OSError, UnicodeDecodeError, UnsafeInput) as error:
            raise ConfigInvalid(where, "cannot be read.", "biblicus check --repair") from error
        # unchanged since `init`: the full parser would add 15 ms to a cold query
        if plain := _AS_WRITTEN.fullmatch(text):
            return CorpusConfig(corpus_id=plain[1], name=plain[2])
        return options_of(CorpusConfig, read_mapping(text, where), where)

    def alone(self) -> CorpusFolder:
        """Return the corpus with the same settings but without this process's caches and connections, for another
        process."""
        corpus = CorpusFolder(self.root, None, self.view)
        settings = self.settings
        if settings.stores:  # connections stay in this process
            settings = replace(settings, stores={}, corpora={}, store=None)
        corpus.__dict__.update(settings=settings, config=self.config)
        return corpus

    def own_rules(self) -> OwnRules:
        """Return this machine's current ignore rules for the folder."""
        settings, root = self.settings, os.path.realpath(self.root) if self.settings.hidden else ""
        hidden = [
            pattern
            for folder, patterns in settings.hidden.items()
            if os.path.realpath(os.path.expanduser(folder)) == root
            for pattern in patterns
        ]
        chosen = settings.local_excludes
        return own_rules(self.root, hidden, with_excludes=not os.environ.get("CI") if chosen is None else chosen)

    def hides(self, path: Path) -> bool:
        """Return true if a hidden name on the way excludes a file or folder."""
        rules, parts = self.own_rules(), path.relative_to(self.root).parts
        names = (("/".join(parts[: depth + 1]), name) for depth, name in enumerate(parts))
        hidden = [within for within, name in names if is_hidden(name)]
        return any(not rules.takes_in(within) and not rules.takes_in(f"{within}/") for within in hidden)

    def of_committed_rules(self, call: Call) -> CorpusFolder:
        """Return the corpus without git's ignore settings of this machine. Raises `UsageError` for a remote user."""
        if call.guest:
            raise UsageError("ignore_local_excludes is for the user of the machine that keeps the corpus.")
        corpus = CorpusFolder(self.root, self.host, self.view)
        corpus.__dict__.update(settings=replace(self.settings, local_excludes=False), config=self.config)
        return corpus

    @property
    def chosen_recipe(self) -> str:
        """Return the default recipe of the user's settings or the corpus, with `auto` unresolved."""
        return self.settings.default_recipe or self.config.default_recipe

    @property
    def default_recipe(self) -> str:
        """Return the recipe for requests that name none."""
        if (chosen := self.chosen_recipe) != AUTO:
            return chosen

        return corpus.auto.answering(self)

    def absolute(self, path: str) -> Path:
        """Return the path of an item's file."""
        return Path(self.place(path))

    def shown(self, path: Path) -> str:
        """Return the path of a corpus file for messages: `.biblicus/recipes/own.yml`."""
        return path.relative_to(self.home.parent).as_posix()

    def place(self, path: str) -> str:
        """Return the path of an item's file as a string: creating a `Path` costs more than opening the file."""
        return system.extended(os.path.join(self.root, to_os(path)))

    def inside(self, path: str) -> Path:
        """Like `absolute`, for untrusted paths: raise `UnsafeInput` if a link on the way could lead out of the
        corpus."""
        where = self.absolute(path)
        for folder in where.relative_to(self.root).parents[:-1]:
            _refuse_link(self.root / folder, folder.as_posix())
        return where

    @contextmanager
    def writing(self, call: Call) -> Iterator[None]:
        """Hold the writers' lock. Leftovers of a crashed writer are removed first.

        Raises the errors of `check_writable`."""
        if self.view:
            raise ReaderLimited("A change")
        self.check_writable()
        with self.locked(call):
            yield

    @contextmanager
    def locked(self, call: Call) -> Iterator[None]:
        """Hold the writers' lock for derived files, also of a corpus that nobody may change here."""
        if self.is_cached:
            corpus.founding.take_committed(self)
        files.make_folder(self.local)
        ensure_gitignore(self.home)
        with files.locked(self.local / "lock", call, self.settings.lock_timeout):
            self._sweep()
            try:
                if os.path.lexists(self.local / "promoting.json"):
                    editorial.approvals.resume(self)
                yield
            except BaseException:
                changes.tidy()
                raise
            self.kept.settle()

    def leftovers(self) -> list[Path]:
        """Return temporary files and half-built materializations of dead writers under `.biblicus/`."""
        built: list[Path] = []
        stores: list[Path] = []
        for folder in (self.index, self.mirrors):
            with suppress(FileNotFoundError, NotADirectoryError):
                built += folder.iterdir()
        with suppress(FileNotFoundError):
            stores = list(self.vectors.iterdir())
        dataset_folders = [Path(folder) for folder, _, _ in os.walk(self.datasets)]
        top = [self.home, self.runs, self.recipes, self.personas, self.local, self.cache, self.evaluations, self.events]
        folders = [*top, self.sources, self.approved, self.publications, *dataset_folders, *built, *stores]
        temporary = [path for folder in folders for path in _temporary(folder)]
        return temporary + [path for path in built if path.name.endswith(".tmp")]

    def check_writable(self) -> None:
        """Raise `ReadOnlyCorpus` if the user's places call this corpus `system`, else the errors of `refuse_links`."""

        if corpus.store_binding.is_system(self):
            raise ReadOnlyCorpus(corpus.store_binding.SYSTEM)
        self.refuse_links()

    def refuse_links(self) -> None:
        """Raise `UnsafeInput` if a folder that Biblicus writes to is a link, which a clone could point anywhere."""
        named = [self.home / name for name in ("notes", "alerts")]
        committed = (self.recipes, self.personas, self.datasets, self.sources, self.approved, self.publications, *named)
        caches = (self.cache, self.cache / "extractions", self.vectors, self.damaged, self.evaluations, self.events)
        local_folders = (self.local, self.index, self.mirrors, self.views, self.clones)
        for folder in (self.home, self.runs, *committed, *local_folders, *caches):
            _refuse_link(folder, self.shown(folder))

    def _sweep(self) -> None:
        for path in self.leftovers():
            if path.name.endswith(LATER):
                delete_marked(path)
            elif path.is_dir() and not path.is_symlink():
                system.remove_tree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    system.unlink(path)


def _temporary(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.startswith(files.TEMPORARY)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _refuse_link(folder: Path, shown: str) -> None:
    if folder.is_symlink():
        raise UnsafeInput(f"{shown} is a symbolic link, which is not followed.", f"rm {shown}")


def stems(folder: Path) -> list[str]:
    """Return the names of the JSON files in a folder that may be missing, sorted and without suffix."""
    try:
        return sorted(path.stem for path in folder.iterdir() if path.suffix == ".json")
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_local_ignored(home: Path) -> bool:
    """Return true if git ignores `local/`."""
    try:
        lines = files.read(home / ".gitignore", limit=files.SMALL).replace(b"\r\n", b"\n").split(b"\n")
    except (OSError, UnsafeInput):
        return False
    return b"local/" in lines and not any(line.startswith(b"!") for line in lines)


def ensure_gitignore(home: Path) -> None:
    """Make git ignore `local/`; a missing or damaged file is rewritten."""
    if not is_local_ignored(home):
        if (home / ".gitignore").is_symlink():
            files.remove(home / ".gitignore")
        files.write(home / ".gitignore", b"local/\n")


def require_utf8() -> None:
    """Raise `NotUtf8` if the process's locale cannot represent all file names."""
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        raise NotUtf8(encoding)


def find(start: Path) -> CorpusFolder:
    """Return the corpus that contains `start`: the nearest parent folder with a `.biblicus/config.yml`."""
    require_utf8()
    start = Path(os.path.abspath(start))
    if not start.exists():
        raise SourceNotFound(str(start), f"biblicus init {typed(str(start))}")
    for folder in (start, *start.parents):
        if is_corpus(folder):
            return CorpusFolder(folder)
    raise CorpusNotFound(str(start))


def is_corpus(folder: Path) -> bool:
    """Return true if a folder is the root of a corpus."""
    home = home_of(folder)
    return (home / "config.yml").is_file() or (home / "catalog.json").is_file()


def home_of(root: Path) -> Path:
    """Return the folder `.biblicus` of a corpus: in this user's cache if it was created there, else in `root`."""
    corpus_home = root / FOLDER
    if os.access(corpus_home, os.W_OK) or os.access(corpus_home / "local" / "index", os.R_OK | os.X_OK):
        return corpus_home
    with suppress(OSError, UsageError):  # the folder is gone, or this user has no home folder
        if os.path.lexists(corpus_home) or not system.owns(root):
            cached = cached_home(root)
            return cached if (cached / "config.yml").is_file() else corpus_home
    return corpus_home


def cached_home(root: Path) -> Path:
    """Return the `.biblicus` in this user's cache for a folder that is not written to. Raises `OSError`,
    `UsageError`."""
    status = root.stat()
    key = f"{status.st_dev} {status.st_ino} ".encode() + os.fsencode(os.path.realpath(root))
    return user_folder("cache") / "corpora" / hashlib.sha256(key).hexdigest()[:32] / FOLDER
