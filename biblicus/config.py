"""Settings: defaults < the corpus's `config.yml` (a closed list of safe keys) < user file < environment < flags.

The user file is `~/.config/biblicus/config.yml` (`XDG_CONFIG_HOME` is respected); each key is also read from the
environment as `BIBLICUS_<KEY>`. Limits are never read from a corpus, where a stranger could loosen them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints

from biblicus import guards
from biblicus.disk import system
from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards.processes import settings_file as settings_file
from biblicus.guards.processes import user_folder as user_folder
from biblicus.models.fields import EXECUTOR, doc, option, worded
from biblicus.models.frozen import dataclass
from biblicus.models.item import DOCTYPES
from biblicus.models.records import Bounds, Chosen, Record


class Validated(Protocol):
    """Interface of plug-in options: pydantic models, or records."""

    @classmethod
    def model_validate(cls, data: Any, /) -> Self: ...


Options = TypeVar("Options", bound=Validated)
_VARIABLE = "BIBLICUS_"
_MAPPINGS = ("proxy",)
"""Settings that are mappings and may be absent."""


@dataclass(frozen=True, kw_only=True)
class DoctypeRule(Record):
    """Doctype of items whose path matches the glob. The first matching rule applies."""

    path: str
    doctype: Annotated[str, Bounds(pattern="^(" + "|".join(DOCTYPES) + ")$")]


Name = Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]


@dataclass(frozen=True, kw_only=True)
class LayerRequires(Record):
    """Requirements for a promotion: number of reviewers, and checks that must pass."""

    reviews: Annotated[int, Bounds(ge=1, le=20)] = 1
    checks: tuple[Literal["verify", "links", "eval"], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Layer(Record):
    """A level of trust.

    `path`: glob of a folder whose items are in it; without one, the key `layer` decides. `base`: the layer from which
    items are promoted; such a layer shows only approved bytes. `by`: a promotion moves or copies the file. `pending`:
    how an edited approved item is shown."""

    name: Name
    path: Annotated[str, Bounds(pattern=r"^([^/\\\x00-\x1f][^\\\x00-\x1f]*)?$")] = ""
    base: Name | None = field(default=None, metadata={"alias": "from"})
    by: Literal["move", "copy"] = "move"
    requires: LayerRequires = field(default_factory=LayerRequires)
    pending: Literal["approved", "left_out"] = "approved"

    @property
    def folder(self) -> str:
        """Return the folder of its items with a trailing slash, or empty."""
        return self.path.removesuffix("**") if self.path.endswith("/**") else ""


def _fit_together(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Check that layers are unique, promoted from an earlier one, and have their own folder or use the key `layer`."""
    below: set[str] = set()
    for layer in layers:
        if layer.name in below:
            raise ValueError(f"the layer {layer.name} stands twice")
        if layer.base is not None and layer.base not in below:
            raise ValueError(f"{layer.name} is promoted from {layer.base}, which is no layer above it in the list")
        parts = layer.folder.rstrip("/").split("/")
        is_folder = (
            layer.folder and not {"", ".", "..", ".biblicus"} & set(parts) and not set("*?[") & set(layer.folder)
        )
        if layer.base is not None and layer.path and not is_folder:
            raise ValueError(f"{layer.name} takes a folder as its path ({layer.name}/**), not {layer.path}")
        if layer.by == "copy" and not layer.path:
            raise ValueError(f"{layer.name} is copied to, and has no path to copy to")
        below.add(layer.name)
    return layers


@dataclass(frozen=True, kw_only=True)
class CorpusConfig(Record):
    """Content of `.biblicus/config.yml`, committed."""

    corpus_id: Annotated[str, Bounds(pattern=r"^[0-9a-f]{32}$")]
    name: str
    default_recipe: Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")] = "auto"
    doctypes: tuple[DoctypeRule, ...] = ()
    archive_depth: Annotated[int, Bounds(ge=0, le=3)] = 1
    inline_tags: bool = False
    machine_made: bool = False
    layers: Annotated[tuple[Layer, ...], Bounds(_fit_together)] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareSetting(Chosen):
    """A remote folder of the user's settings. `by`: its kind in fsspec (s3, webdav). `path`: base path of sources."""

    by: Annotated[str, Bounds(pattern=r"^[a-z][a-z0-9+.-]{0,30}$")]
    path: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class AccountSetting(Record):
    """A credential for one host. Without a `secret`, the keyring's `account:NAME` is used."""

    host: Annotated[str, Bounds(min_length=1)]
    user: str = ""
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class ProxySetting(Record):
    """A proxy that signs people in. Its headers count only from `address`, with its secret in `Biblicus-Proxy`.

    The secret is in a variable (`secret_env`) or a file (`secret_file`). `header`: with the person's name;
    `groups_header`: with groups, separated by commas."""

    address: Annotated[str, Bounds(min_length=1)]
    secret_env: str | None = None
    secret_file: str | None = None
    header: Annotated[str, Bounds(pattern=r"^[A-Za-z0-9-]{1,60}$")] = "X-Forwarded-User"
    groups_header: Annotated[str, Bounds(pattern=r"^[A-Za-z0-9-]{0,60}$")] = ""


@dataclass(frozen=True, kw_only=True)
class ProcedureSetting(Record):
    """A command of the user's settings for evaluation: a program with arguments, and its limits for a question."""

    command: Annotated[tuple[Annotated[str, Bounds(min_length=1)], ...], Bounds(min_length=1)]
    seconds: Annotated[float, Bounds(gt=0, le=3_600)] = 60.0
    output_bytes: Annotated[int, Bounds(ge=1, le=256 << 20)] = 1 << 20


@dataclass(frozen=True, kw_only=True)
class CorpusSetting(Record):
    """Run store of one corpus folder. Default of `schema`: one for this folder alone."""

    store: Name
    schema_: str = field(default="", metadata={"alias": "schema", "pattern": r"^[a-z][a-z0-9_]{0,62}$"})


@dataclass(frozen=True, kw_only=True)
class Settings(Record):
    """The user's settings for this machine. Sizes in bytes, times in seconds."""

    max_file_bytes: int = option(2 << 30, "Larger files are skipped.", ge=1)
    max_text_bytes: int = option(64 << 20, "Larger files give no text.", ge=1)
    lock_timeout: float = option(60.0, "How long a writer waits for another.", ge=0)
    workers: int = option(0, "Parser processes (0: one per core).", ge=0, le=256)
    extraction_seconds: float = option(30.0, "How long one file may be parsed.", gt=0)
    extraction_memory: int = option(1 << 30, "What parsing one file may take.", ge=128 << 20)
    ocr_seconds: float = option(60.0, "How long the OCR of one page may take.", gt=0)
    ocr_memory: int = option(2 << 30, "What OCR of one file may take.", ge=512 << 20)
    archive_members: int = option(10_000, "How many members of one archive are read.", ge=1, le=100_000)
    archive_bytes: int = option(512 << 20, "What the members of one archive may come to, unpacked.", ge=1)
    archive_ratio: int = option(200, "How many times its packed size a member may come to.", ge=2)
    sandbox: Literal["on", "off"] = option(
        "on", "Walls of the kernel around parsers; off, where a library cannot be loaded behind them."
    )
    materializations: int = option(2, "Indexes kept of each build.", ge=1, le=100)
    cache_bytes: int = option(1 << 30, "Bound of kept texts, and of vectors.", ge=0)
    ingest_min_characters: int = option(1, "Shorter texts are refused where a service or an agent ingests.", ge=1)
    ingest_max_bytes: int = option(32 << 20, "Larger documents are refused where a service or an agent ingests.", ge=1)
    event_bytes: int = option(64 << 20, "Bound of the event log.", ge=1 << 20)
    source_file_bytes: int = option(16 << 20, "Bound of one document that a sync takes from a source.", ge=1)
    source_bytes: int = option(2 << 30, "Bound of all that one sync takes from a source.", ge=1 << 20)
    source_documents: int = option(100_000, "How many documents one sync takes from a source.", ge=1)
    source_seconds: float = option(900.0, "How long the sync of one source may take.", gt=0)
    hidden: dict[str, tuple[str, ...]] = option(
        {}, "Folders of corpora, each with patterns of hidden files that are items all the same."
    )
    local_excludes: bool | None = option(
        None,
        "Whether files that `.git/info/exclude` and `core.excludesFile` hide are left out. Default: yes, but not "
        "where the variable `CI` is set.",
    )
    default_recipe: str | None = option(None, "Overrides the corpus's.")
    auto_recipe: str = option("meaning", "The recipe that `auto` comes to where the models of meaning are installed.")
    meaning: Literal["auto", "off"] = option(
        "auto", "Whether the default recipe `auto` uses models of meaning where they are installed."
    )
    at: str = option(
        "local",
        "Where questions are answered (`local`, `daemon`, a service's address or its name in `places`), "
        "several by comma, the next where one is down.",
    )
    watch: bool = option(False, "Whether the daemon and services follow folders and index what changes.")
    refresh: Literal["off", "auto"] = option(
        "off", "Whether what changed is indexed before each question, where that is quick."
    )
    places: dict[str, str] = option({}, "Names to folders of corpora and addresses of services.")
    daemon_workers: int = option(
        1, "Processes of a daemon that answer, once questions come together (1: itself).", ge=1, le=64
    )
    daemon_idle: float = option(1800.0, "Seconds after which a daemon that nobody asks ends.", gt=0)
    groups: dict[str, tuple[str, ...]] = option({}, "Groups of readers, each with the names of its people.")
    proxy: ProxySetting | None = field(
        default=None, repr=False, metadata=doc("A proxy of a service whose headers name the reader.")
    )
    passwords: dict[str, str] = field(
        default_factory=dict,
        repr=False,
        metadata=doc("Globs of paths in a corpus to passwords of PDFs, Office files and archives."),
    )
    device: Literal["auto", "cpu", "cuda"] = option("auto", "Where models compute.")
    telemetry: Literal["off", "console", "otlp"] = option("off", "Where spans and measurements go.")
    telemetry_texts: bool = option(False, "Tell questions there, too.")
    log_format: Literal["text", "json"] = option("text", "Of what a service logs.")
    embedders: dict[Name, Chosen] = option({}, "Embedders by the name that recipes use.")
    rerankers: dict[Name, dict[str, str | int]] = option({}, "Rerankers by the name that recipes use.")
    judge_seconds: float = option(
        10.0, "How long the judge may take for one question, at most (0: as long as it takes).", ge=0
    )
    memos_shortest: int = option(40, "Characters that a text must have to be kept by `serve --profile memos`.", ge=1)
    memos_longest: int = option(200_000, "Characters that it may have.", ge=1)
    memos_k: int = option(12, "Chunks that an answer of `memos` looks at.", ge=1, le=50)
    memos_sentences: int = option(6, "Sentences of a window of the recipe `memos`.", ge=1)
    memos_overlap: int = option(1, "Sentences that the next window repeats.", ge=0)
    memos_ids: Literal["ours", "uuid"] = option(
        "ours", "Ids of documents and chunks that `memos` gives: ours, or UUIDs (v5) of these."
    )
    transcribers: dict[Name, Chosen] = option({}, "What turns speech into text, by the name that recipes use.")
    llms: dict[Name, Chosen] = option({}, "Language models, each by a name of the user's.")
    llm: str = option("", "Which of them is asked where several are there and none is named.")
    stores: dict[Name, Chosen] = field(
        default_factory=dict, repr=False, metadata=doc("Databases that keep runs, each by a name of the user's.")
    )
    shares: dict[Name, ShareSetting] = field(
        default_factory=dict,
        repr=False,
        metadata=doc("S3 buckets, WebDAV folders and their kin, by the name that sources use."),
    )
    accounts: dict[Name, AccountSetting] = field(
        default_factory=dict,
        repr=False,
        metadata=doc("Credentials by the name that sources use, each with the only host that it is sent to."),
    )
    corpora: dict[str, CorpusSetting] = option(
        {}, "Folders of corpora, each with the store and the schema that keep its runs."
    )
    store: str | None = option(
        None, "Where all runs are kept, whatever `corpora` says: `local`, or a name in `stores`."
    )
    executor: str = option(
        "local",
        "Who shares in builds: `local` (processes here), `ray` (a cluster started here), `ray://HOST:PORT`.",
        pattern=EXECUTOR,
    )
    answerer: str = option("quote", "Who answers where none is named.")
    procedures: dict[Name, ProcedureSetting] = option(
        {}, "Commands that answer, each by a name of the user's, to be measured by `eval --procedure`."
    )


_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")


def explain(error: ValueError, model: Any) -> str:
    """Return the first problem on one line; for an unknown key also the nearest known one."""
    from pydantic import ValidationError  # lazy: most files are valid

    if not isinstance(error, ValidationError):
        return str(error)
    problems = error.errors(include_url=False)
    problem = next((one for one in problems if one["type"] in _UNKNOWN), problems[0])
    location = [part for part in problem["loc"] if not str(part).startswith("function-after[")]  # a choice of a union
    where = ".".join(map(str, location))
    if problem["type"] in _UNKNOWN:
        *above, key = location
        return f'unknown key "{where}"' + nearest(str(key), _fields_at(model, above))
    return f"{where}: {worded(problem)}" if where else worded(problem)


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the end of an error message: the known name that was probably meant."""
    import difflib  # lazy: few settings are misspelt

    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; known: {', '.join(known)}" if known else ""


def _fields_at(model: Any, location: Sequence[int | str]) -> list[str]:
    """Return the known keys of the model at `location`; empty if unknown."""
    parts = iter(location)
    for part in parts:
        kind = _types_of(model).get(str(part))
        if get_origin(kind) in (dict, list, tuple):
            next(parts, None)  # skip the index or key
        inner = [one for one in (kind, *get_args(kind)) if _types_of(one)]  # the type, or the type in an optional one
        if not inner:
            return []
        model = inner[0]
    return list(_types_of(model))


def _types_of(model: Any) -> dict[str, Any]:
    """Return the field types of a model or a dataclass by name; empty for other types."""
    if is_dataclass(model):
        hints = get_type_hints(model)
        return {entry.name: hints[entry.name] for entry in fields(model)}
    return {name: entry.annotation for name, entry in getattr(model, "model_fields", {}).items()}


def read_mapping(text: str, where: str) -> dict[str, Any]:
    """Parse a YAML file into a mapping. Raises `ConfigInvalid` with `where`."""

    try:
        data = guards.yaml.read(text)
    except BadData as error:
        raise ConfigInvalid(where, error.message) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigInvalid(where, "expected keys and values.")
    return data


def options_of(kind: type[Options], values: Mapping[str, Any], where: str, remedy: str = "") -> Options:
    """Validate values as options of a class. Raises `ConfigInvalid` with `where`."""
    try:
        return kind.model_validate(values)
    except ValueError as error:
        raise ConfigInvalid(where, explain(error, kind), remedy) from error


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the user's settings. Errors name the file or variable."""
    path = settings_file()
    try:
        text = path.read_text(encoding="utf-8") if os.path.isfile(path) else ""
    except UnicodeDecodeError as error:
        raise ConfigInvalid(str(path), "not UTF-8 text.") from error
    is_own = environment is os.environ
    names = system.variables(_VARIABLE) if is_own else [name for name in environment if name.startswith(_VARIABLE)]
    variables = tuple((name, environment[name]) for name in names)
    return _settings(str(path), text, variables)


@lru_cache(maxsize=4)
def _settings(path: str, written: str, variables: tuple[tuple[str, str], ...]) -> Settings:
    """Validate the settings from file and environment. Cached, because every query needs them."""
    values = read_mapping(written, path) if written else {}
    where, environment = path, dict(variables)
    for setting in fields(Settings):
        variable = _VARIABLE + setting.name.upper()
        if (text := environment.get(variable)) is not None:
            is_mapping = setting.default_factory is dict or setting.name in _MAPPINGS  # YAML or JSON
            values[setting.name] = read_mapping(text, variable) if is_mapping else text
            if setting.name in _MAPPINGS and not values[setting.name]:
                del values[setting.name]  # as if it were absent
            where = variable
    return options_of(Settings, values, where) if values else Settings()
