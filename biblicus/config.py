"""Settings: defaults < the corpus's `config.yml` (a closed list of inert keys) < user file < environment < flags.

The user file is `~/.config/biblicus/config.yml` (`XDG_CONFIG_HOME` honoured); each of its keys is also read from the
environment as `BIBLICUS_<KEY>`. Limits are never taken from a corpus: what a stranger commits cannot loosen them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards.folders import settings_file as settings_file
from biblicus.guards.folders import user_folder as user_folder
from biblicus.models.fields import EXECUTOR, worded
from biblicus.models.item import DOCTYPES

Options = TypeVar("Options", bound=BaseModel)
_VARIABLE = "BIBLICUS_"


class DoctypeRule(BaseModel):
    """Items whose path fits the glob have this doctype. The first rule that fits decides."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    path: str
    doctype: Annotated[str, Field(pattern="^(" + "|".join(DOCTYPES) + ")$")]


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]


class LayerRequires(BaseModel):
    """What is asked of a promotion: how many reviewers, and which checks must pass."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    reviews: Annotated[int, Field(ge=1, le=20)] = 1
    checks: tuple[Literal["verify", "links", "eval"], ...] = ()


class Layer(BaseModel):
    """A degree of trust. `path`: a folder's glob whose items are in it; without one, the key `layer` says so. `base`:
    from which layer items are promoted to it: such a layer serves approved bytes alone. `by`: whether a promotion moves
    the file or copies it. `pending`: what becomes of an approved item that was edited."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    name: Name
    path: Annotated[str, Field(pattern=r"^([^/\\\x00-\x1f][^\\\x00-\x1f]*)?$")] = ""
    base: Annotated[Name | None, Field(alias="from")] = None
    by: Literal["move", "copy"] = "move"
    requires: LayerRequires = Field(default_factory=LayerRequires)
    pending: Literal["approved", "left_out"] = "approved"

    @property
    def folder(self) -> str:
        """The folder that holds its items, with a trailing slash; empty where it has none."""
        return self.path.removesuffix("**") if self.path.endswith("/**") else ""


class CorpusConfig(BaseModel):
    """`.biblicus/config.yml`, committed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    corpus_id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    name: str
    default_recipe: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")] = "lexical"
    doctypes: tuple[DoctypeRule, ...] = ()
    archive_depth: Annotated[int, Field(ge=0, le=3)] = 1
    inline_tags: bool = False
    layers: tuple[Layer, ...] = ()

    @field_validator("layers")
    @classmethod
    def _fit_together(cls, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """Each named once, promoted from an earlier one, into a folder of its own or by the key `layer`."""
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


class EmbedderSetting(BaseModel):
    """A model that the user defines: the embedder (`by`) and its options, checked when it is first used."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    by: str


class LLMSetting(BaseModel):
    """A language model that the user defines: the provider (`by`) and its options, checked when it is first used."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    by: str


class TranscriberSetting(BaseModel):
    """A transcriber that the user defines: the plug-in (`by`) and its options, checked when it is first used."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    by: str


class ShareSetting(BaseModel):
    """A folder elsewhere that the user defines: its kind (`by`, as fsspec calls it: s3, webdav), the `path` in it that
    sources begin at, and how it is opened. That may be secret, and is never shown."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True, hide_input_in_errors=True)

    by: Annotated[str, Field(pattern=r"^[a-z][a-z0-9+.-]{0,30}$")]
    path: str = ""


class StoreSetting(BaseModel):
    """A store that the user defines: the engine (`by`) and its options, checked when it is first used. They may be
    secret, and are never shown."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True, hide_input_in_errors=True)

    by: str

    def __repr_args__(self) -> Iterator[tuple[str, str]]:
        yield "by", self.by


class ProcedureSetting(BaseModel):
    """A command that the user defines, to be measured: a program with its words, and what it may take a question."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    command: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
    seconds: Annotated[float, Field(gt=0, le=3_600)] = 60.0
    output_bytes: Annotated[int, Field(ge=1, le=256 << 20)] = 1 << 20


class CorpusSetting(BaseModel):
    """Where the runs of one corpus folder are kept. Without a `schema` it is one of this folder's own."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    store: Name
    schema_: Annotated[str, Field(alias="schema", pattern=r"^[a-z][a-z0-9_]{0,62}$")] = ""


class Settings(BaseModel):
    """What the user may set for this machine. Sizes in bytes, times in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, hide_input_in_errors=True)

    max_file_bytes: int = Field(2 << 30, ge=1, description="Larger files are skipped.")
    max_text_bytes: int = Field(64 << 20, ge=1, description="Larger files give no text.")
    lock_timeout: float = Field(60.0, ge=0, description="How long a writer waits for another.")
    workers: int = Field(0, ge=0, le=256, description="Parser processes (0: one per core).")
    extraction_seconds: float = Field(30.0, gt=0, description="How long one file may be parsed.")
    extraction_memory: int = Field(1 << 30, ge=128 << 20, description="What parsing one file may take.")
    ocr_seconds: float = Field(60.0, gt=0, description="How long the OCR of one page may take.")
    ocr_memory: int = Field(2 << 30, ge=512 << 20, description="What OCR of one file may take.")
    archive_members: int = Field(10_000, ge=1, le=100_000, description="How many members of one archive are read.")
    archive_bytes: int = Field(512 << 20, ge=1, description="What the members of one archive may come to, unpacked.")
    archive_ratio: int = Field(200, ge=2, description="How many times its packed size a member may come to.")
    sandbox: Literal["on", "off"] = Field(
        "on", description="Walls of the kernel around parsers; off, where a library cannot be loaded behind them."
    )
    materializations: int = Field(2, ge=1, le=100, description="Indexes kept of each build.")
    cache_bytes: int = Field(1 << 30, ge=0, description="Bound of kept texts and replies together, and of vectors.")
    ingest_min_characters: int = Field(
        1, ge=1, description="Shorter texts are refused where a service or an agent ingests."
    )
    ingest_max_bytes: int = Field(
        32 << 20, ge=1, description="Larger documents are refused where a service or an agent ingests."
    )
    event_bytes: int = Field(64 << 20, ge=1 << 20, description="Bound of the event log.")
    source_file_bytes: int = Field(16 << 20, ge=1, description="Bound of one document that a sync takes from a source.")
    source_bytes: int = Field(2 << 30, ge=1 << 20, description="Bound of all that one sync takes from a source.")
    source_documents: int = Field(100_000, ge=1, description="How many documents one sync takes from a source.")
    source_seconds: float = Field(900.0, gt=0, description="How long the sync of one source may take.")
    default_recipe: str | None = Field(None, description="Overrides the corpus's.")
    at: str = Field(
        "local",
        description="Where questions are answered (`local`, `daemon`, a service's address or its name in `places`), "
        "several by comma, the next where one is down.",
    )
    watch: bool = Field(False, description="Whether the daemon and services follow folders and index what changes.")
    refresh: Literal["off", "auto"] = Field(
        "off", description="Whether what changed is indexed before each question, where that is quick."
    )
    places: dict[str, str] = Field({}, description="Names to folders of corpora and addresses of services.")
    daemon_workers: int = Field(
        1,
        ge=1,
        le=64,
        description="Processes of a daemon that answer, once questions come together (1: itself).",
    )
    daemon_idle: float = Field(1800.0, gt=0, description="Seconds after which a daemon that nobody asks ends.")
    passwords: dict[str, str] = Field(
        {},
        repr=False,
        description="Globs of paths in a corpus to passwords of PDFs, Office files and archives.",
    )
    prices: dict[str, Annotated[float, Field(ge=0)]] = Field(
        {},
        description="Money for a million tokens, by model or embedder, in whatever currency; `eval` reckons with them.",
    )
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="Where models compute.")
    telemetry: Literal["off", "console", "otlp"] = Field("off", description="Where spans and measurements go.")
    telemetry_texts: bool = Field(False, description="Tell questions there, too.")
    log_format: Literal["text", "json"] = Field("text", description="Of what a service logs.")
    embedders: dict[Name, EmbedderSetting] = Field({}, description="Embedders by the name that recipes use.")
    rerankers: dict[Name, dict[str, str | int]] = Field({}, description="Rerankers by the name that recipes use.")
    transcribers: dict[Name, TranscriberSetting] = Field(
        {}, description="What turns speech into text, by the name that recipes use."
    )
    llms: dict[Name, LLMSetting] = Field({}, description="Language models, each by a name of the user's.")
    llm: str = Field("", description="Which of them is asked where several are there and none is named.")
    stores: dict[Name, StoreSetting] = Field(
        {}, repr=False, description="Databases that keep runs, each by a name of the user's."
    )
    shares: dict[Name, ShareSetting] = Field(
        {}, repr=False, description="S3 buckets, WebDAV folders and their kin, by the name that sources use."
    )
    corpora: dict[str, CorpusSetting] = Field(
        {}, description="Folders of corpora, each with the store and the schema that keep its runs."
    )
    store: str | None = Field(
        None,
        description="Where all runs are kept, whatever `corpora` says: `local`, or a name in `stores`.",
    )
    executor: str = Field(
        "local",
        pattern=EXECUTOR,
        description="Who shares in builds: `local` (processes here), `ray` (a cluster started here), `ray://HOST:PORT`.",
    )
    answerer: str = Field("quote", description="Who answers where none is named.")
    procedures: dict[Name, ProcedureSetting] = Field(
        {}, description="Commands that answer, each by a name of the user's, to be measured by `eval --procedure`."
    )


_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")


def explain(error: ValidationError, model: Any) -> str:
    """The first problem as one line; an unknown key names the nearest known one."""
    problems = error.errors(include_url=False)
    problem = next((one for one in problems if one["type"] in _UNKNOWN), problems[0])
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] in _UNKNOWN:
        *above, key = problem["loc"]
        return f'unknown key "{where}"' + nearest(str(key), _fields_at(model, above))
    return f"{where}: {worded(problem)}" if where else worded(problem)


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of an error's sentence: the known name that was probably meant."""
    import difflib  # lazy: few settings are misspelt

    near = difflib.get_close_matches(name, known, 1, 0.5)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; known: {', '.join(known)}" if known else ""


def _fields_at(model: Any, location: Sequence[int | str]) -> list[str]:
    """The keys that the model reached through `location` knows; none where that is not known."""
    parts = iter(location)
    for part in parts:
        field = getattr(model, "model_fields", {}).get(str(part))
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))  # it, or it or None
        if field is not None and get_origin(field.annotation) in (dict, list, tuple):
            next(parts, None)  # which of them
        inner = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not inner:
            return []
        model = inner[0]
    return [field.name for field in fields(model)] if is_dataclass(model) else list(model.model_fields)


def read_mapping(text: str, where: str) -> dict[str, Any]:
    """A YAML file of ours as a mapping; `ConfigInvalid` names `where`."""
    from biblicus.guards import yaml  # lazy: commands that meet no YAML do not pay for its parser

    try:
        data = yaml.read(text)
    except BadData as error:
        raise ConfigInvalid(where, error.message) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigInvalid(where, "expected keys and values.")
    return data


def options_of(kind: type[Options], values: Mapping[str, Any], where: str, remedy: str = "") -> Options:
    """The options of a plug-in, a model or a server with these values; `ConfigInvalid` names `where` they stand."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, kind), remedy) from error


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The user's settings; errors name the file or variable."""
    path = settings_file()
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    except UnicodeDecodeError as error:
        raise ConfigInvalid(str(path), "not UTF-8 text.") from error
    variables = tuple((name, environment[name]) for name in environment if name.startswith(_VARIABLE))
    return _settings(str(path), text, variables)


@lru_cache(maxsize=4)
def _settings(path: str, written: str, variables: tuple[tuple[str, str], ...]) -> Settings:
    """What a file and the environment say. Remembered: each question asks for it, and to validate it takes longer than
    to read it."""
    values = read_mapping(written, path) if written else {}
    where, environment = path, dict(variables)
    for key, setting in Settings.model_fields.items():
        variable = _VARIABLE + key.upper()
        if (text := environment.get(variable)) is not None:
            is_mapping = get_origin(setting.annotation) is dict  # the variable holds YAML or JSON
            values[key] = read_mapping(text, variable) if is_mapping else text
            where = variable
    if not values:
        return Settings.model_construct()  # as it comes; its validator would cost a cold question 5 ms
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, Settings)) from error
