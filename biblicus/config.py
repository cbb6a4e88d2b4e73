"""Settings: defaults < the corpus's `config.yml` (a closed list of inert keys) < user file < environment < flags.

The user file is `~/.config/biblicus/config.yml` (`XDG_CONFIG_HOME` honoured); each of its keys is also read from the
environment as `BIBLICUS_<KEY>`. Limits are never taken from a corpus: what a stranger commits cannot loosen them.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards.folders import user_folder as user_folder
from biblicus.models.item import DOCTYPES


class DoctypeRule(BaseModel):
    """Items whose path fits the glob have this doctype. The first rule that fits decides."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    path: str
    doctype: Annotated[str, Field(pattern="^(" + "|".join(DOCTYPES) + ")$")]


class CorpusConfig(BaseModel):
    """`.biblicus/config.yml`, committed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    corpus_id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    name: str
    default_recipe: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")] = "lexical"
    doctypes: tuple[DoctypeRule, ...] = ()


class EmbedderSetting(BaseModel):
    """A model that the user defines: the embedder (`by`) and its options, checked when it is first used."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    by: str


class LLMSetting(BaseModel):
    """A language model that the user defines: the provider (`by`) and its options, checked when it is first used."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    by: str


EmbedderName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]


class Settings(BaseModel):
    """What the user may set for this machine. Sizes in bytes, times in seconds.

    `max_file_bytes`: larger files are skipped. `max_text_bytes`: larger files give no text. `lock_timeout`: how long a
    writer waits for another. `workers`: parser processes (0: one per core). `extraction_seconds`, `extraction_memory`:
    limits for one file. `materializations`: kept per build. `cache_bytes`: bound of the extraction cache.
    `event_bytes`: bound of the event log. `source_file_bytes`, `source_bytes`, `source_documents`, `source_seconds`:
    bounds of what one sync takes from a source: one document, all of them, their number, the time.
    `ingest_min_characters`, `ingest_max_bytes`: shorter texts and larger documents are refused where a service or an
    agent ingests. `default_recipe`: overrides the corpus's. `at`: where questions are answered (`local`, `daemon`, a
    service's address or its name in `places`), several by comma, the next where one is down. `places`: names to folders
    of corpora and addresses of services. `daemon_idle`: seconds after which a daemon that nobody asks ends. `prices`:
    money for a million tokens, by model or embedder, in whatever currency; `eval` reckons with them. `device`: where
    models compute. `telemetry`: where spans and measurements go. `telemetry_texts`: tell questions there, too.
    `log_format`: of what a service logs. `embedders`, `rerankers`: models by the name that recipes use. `llms`:
    language models, each by a name of the user's. `llm`: which of them is asked where several are there and none is
    named. `answerer`: who answers where none is named.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    max_file_bytes: Annotated[int, Field(ge=1)] = 2 << 30
    max_text_bytes: Annotated[int, Field(ge=1)] = 64 << 20
    lock_timeout: Annotated[float, Field(ge=0)] = 60.0
    workers: Annotated[int, Field(ge=0, le=256)] = 0
    extraction_seconds: Annotated[float, Field(gt=0)] = 30.0
    extraction_memory: Annotated[int, Field(ge=128 << 20)] = 1 << 30
    materializations: Annotated[int, Field(ge=1, le=100)] = 2
    cache_bytes: Annotated[int, Field(ge=0)] = 1 << 30
    ingest_min_characters: Annotated[int, Field(ge=1)] = 1
    ingest_max_bytes: Annotated[int, Field(ge=1)] = 32 << 20
    event_bytes: Annotated[int, Field(ge=1 << 20)] = 64 << 20
    source_file_bytes: Annotated[int, Field(ge=1)] = 16 << 20
    source_bytes: Annotated[int, Field(ge=1 << 20)] = 2 << 30
    source_documents: Annotated[int, Field(ge=1)] = 100_000
    source_seconds: Annotated[float, Field(gt=0)] = 900.0
    default_recipe: str | None = None
    at: str = "local"
    places: dict[str, str] = Field(default_factory=dict)
    daemon_idle: Annotated[float, Field(gt=0)] = 1800.0
    prices: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    telemetry: Literal["off", "console", "otlp"] = "off"
    telemetry_texts: bool = False
    log_format: Literal["text", "json"] = "text"
    embedders: dict[EmbedderName, EmbedderSetting] = Field(default_factory=dict)
    rerankers: dict[EmbedderName, dict[str, str | int]] = Field(default_factory=dict)
    llms: dict[EmbedderName, LLMSetting] = Field(default_factory=dict)
    llm: str = ""
    answerer: str = "quote"


def explain(error: ValidationError, model: type[BaseModel]) -> str:
    """The first problem as one line; an unknown key names the nearest known one."""
    problems = error.errors(include_url=False)
    problem = next((found for found in problems if found["type"] == "extra_forbidden"), problems[0])
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        *above, key = problem["loc"]
        return f'unknown key "{where}"' + nearest(str(key), _fields_at(model, above))
    return f"{where}: {problem['msg'].lower()}" if where else problem["msg"]


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of an error's sentence: the known name that was probably meant."""
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return f'; did you mean "{near[0]}"?' if near else f"; known: {', '.join(known)}"


def _fields_at(model: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    """The keys that the model reached through `location` knows."""
    for part in location:
        field = model.model_fields.get(str(part))
        if field is None or not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)):
            return []
        model = field.annotation
    return list(model.model_fields)


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


_MAPPINGS = ("prices", "places", "embedders", "rerankers", "llms")
"""Settings whose environment variable holds YAML or JSON."""


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The user's settings; errors name the file or variable."""
    values: dict[str, Any] = {}
    path = user_folder("config") / "config.yml"
    if path.is_file():
        try:
            values.update(read_mapping(path.read_text(encoding="utf-8"), str(path)))
        except UnicodeDecodeError as error:
            raise ConfigInvalid(str(path), "not UTF-8 text.") from error
    where = str(path)
    for key in Settings.model_fields:
        if (text := environment.get(f"BIBLICUS_{key.upper()}")) is not None:
            values[key] = read_mapping(text, f"BIBLICUS_{key.upper()}") if key in _MAPPINGS else text
            where = f"BIBLICUS_{key.upper()}"
    if not values:
        return Settings()
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, Settings)) from error
