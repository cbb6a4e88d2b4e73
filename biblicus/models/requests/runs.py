"""Requests about evidence, runs, events and recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, ClassVar

from biblicus.models.fields import LOCAL_EXCLUDES, TEXT, Request, doc, option, term
from biblicus.models.frozen import dataclass
from biblicus.models.requests.query import LIMIT

BATCH = 100
"""Maximum number of pieces to verify in one request."""
_RUN = "A run by id, unambiguous part of it, or a recipe's name: its latest run."
_STRICT_NUMBER = {"strict": True}


@dataclass(frozen=True, kw_only=True)
class Piece:
    """The fields of a piece of evidence that are needed to verify it; others are ignored."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "ignore", "defer_build": True}

    item_id: str
    path: str
    text: str
    hash: str
    item_sha256: str
    span_start: int = field(metadata=_STRICT_NUMBER)
    span_end: int = field(metadata=_STRICT_NUMBER)
    line_start: int = field(metadata=_STRICT_NUMBER)
    line_end: int = field(metadata=_STRICT_NUMBER)
    page: int | None = field(default=None, metadata=_STRICT_NUMBER)
    locator: Mapping[str, str] | None = None
    layer: str | None = None
    extraction_id: str | None = None
    run_id: str | None = None
    corpus_id: str | None = None
    corpus: str | None = None

    @classmethod
    def of(cls, piece: Mapping[str, Any]) -> Piece:
        """Create it from a piece of evidence or a similar mapping."""
        return cls(**{entry.name: piece[entry.name] for entry in fields(cls) if entry.name in piece})


class VerifyRequest(Request):
    """Verify evidence against the current corpus."""

    evidence: tuple[Piece, ...] = field(
        metadata=doc("Evidence, pack entries or citations, as they were received.", min_length=1, max_length=BATCH)
    )


class VerifyCitationsRequest(Request):
    """Check cited quotations in Markdown documents against the current items."""

    files: tuple[str, ...] = field(
        kw_only=False, metadata=doc("Markdown files, or folders with such files.", min_length=1)
    )
    strict: bool = option(False, "Fail for citations of an unknown form, and if nothing could be checked.")


class RunsRequest(Request):
    """Return the runs, oldest first."""

    limit: int | None = option(None, "Maximum number of runs, newest last. Default: all.", ge=1, le=100_000)


class RunRequest(Request):
    """Request about one run."""

    run: str = field(kw_only=False, metadata=term(_RUN))


class EventsRequest(Request):
    """Return events, a page at a time."""

    after: str | None = field(
        default=None, kw_only=False, metadata=term("Only events after this cursor; `now` skips all past ones.")
    )
    limit: int = option(LIMIT, "Maximum number of events.", ge=1, le=100_000)


class ReindexRequest(Request):
    """Refresh the catalog and build runs."""

    recipes: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc(
            "Recipes to build, by name. Default: the corpus's, and all that have a run.",
            each=TEXT,
            schema={"items": {"pattern": r"^[a-z0-9][a-z0-9_-]{0,39}$"}},
        ),
    )
    fresh: bool = option(False, "Rebuild completely, even if nothing changed.")
    retry_failed: bool = option(False, "Try files again that failed or took too long.")
    strict: bool = option(False, "Treat a failed file as an error.")
    ignore_local_excludes: bool = option(False, LOCAL_EXCLUDES)


class DiffRunsRequest(Request):
    """Compare settings, components and items of two runs."""

    first: str = field(kw_only=False, metadata=doc(_RUN))
    second: str = field(kw_only=False, metadata=doc(_RUN))


class PruneRunsRequest(Request):
    """Delete runs with their manifests and materializations: the named ones, or all but the newest of each build."""

    names: tuple[str, ...] = field(default=(), kw_only=False, metadata=doc("Runs to delete."))
    keep: int | None = option(None, "Keep the newest N of each build.", ge=0)
    latest: bool = option(False, "Delete even the latest run of a recipe.")


class KeepRunsRequest(Request):
    """Protect runs from folding and pruning."""

    names: tuple[str, ...] = field(kw_only=False, metadata=doc("Runs to keep."))
    release: bool = option(False, "Stop keeping these runs.")


class RecipeRequest(Request):
    """Show a recipe with every option filled in."""

    name: str = field(kw_only=False, metadata=doc("A recipe's name or file."))


class NewRecipeRequest(Request):
    """Write a recipe to .biblicus/recipes/ for editing."""

    name: str = field(kw_only=False, metadata=doc("The new recipe's name."))
    base: str = option("lexical", "The recipe to start from.")
    ocr: str | None = option(None, "The OCR engine for scanned pages and pictures: rapidocr or tesseract.")
    languages: tuple[str, ...] = option((), "The language of the scans, as two letters (default: en).")


class CheckRequest(Request):
    """Search for damage: torn, altered or missing files."""

    failed: bool = option(False, "List unread files by cause, with a remedy for each.")
    sandbox: bool = option(False, "Test and list the sandbox limits that the kernel puts on parsers.")
    read_data: bool = option(False, "Read every file completely.")
    repair: bool = option(False, "Rebuild damaged files from the raw files.")
    sources: bool = option(False, "Compare copies with what was synced, and ask repositories for their branch.")
    prune_cache: bool = option(False, "Shrink the caches to their maximum size.")


class DoctorRequest(Request):
    """Search for near copies, dead links, secrets, and stale, unread or untitled items."""

    remote: bool = option(False, "Also request linked web pages, each address once.")
    allow_private: bool = option(False, "With --remote: allow hosts on a private network.")
