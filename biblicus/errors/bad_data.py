"""Errors for invalid files and documents, and failed checks."""

from __future__ import annotations

from biblicus.errors.families import BadData, CheckFailed, LexicalIndexError, SearchError, VectorIndexError


class DuplicateItem(CheckFailed):
    """With `--on-duplicate error`: the corpus already contains the same bytes or text."""

    code = "duplicate"

    def __init__(self, source: str, first: str) -> None:
        super().__init__(f"{source} is a duplicate of {first}.", "biblicus ingest --on-duplicate skip|keep")


class NewerSchema(BadData):
    def __init__(self, path: str, version: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {version}; this Biblicus reads up to {known}.",
            "pip install --upgrade biblicus-corpus",
        )


class CatalogUnreadable(BadData):
    def __init__(self, path: str, cause: str, hint: str = "biblicus check --repair") -> None:
        super().__init__(f"{path} cannot be read: {cause}.", hint)


class CatalogGone(CatalogUnreadable):
    """The catalog was deleted; other files show that it existed."""

    def __init__(self, path: str) -> None:
        BadData.__init__(self, f"{path} is gone.", "biblicus reindex")


class ConfigInvalid(BadData):
    """A recipe, configuration, sidecar or other data file of the user is invalid."""

    code = "invalid_file"

    def __init__(self, path: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{path}: {cause}", hint or f"edit {path}")


class EditorialLogDamaged(BadData):
    """The log of promotions was damaged; nothing counts as approved."""

    def __init__(self, path: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{path} cannot be relied on: {cause}.", hint or f"git checkout {path}")


class PersonaError(BadData):
    """A persona's file is invalid, or its manual corpus or recipe cannot be used.

    `remedy`: how to fix it, for a check that lists all problems."""

    code = "persona_invalid"

    def __init__(self, name: str, cause: str, remedy: str = "") -> None:
        super().__init__(f"The persona {name} cannot answer: {cause}.", f"biblicus personas check {name}")
        self.cause, self.remedy = cause, remedy


class EventsDamaged(BadData):
    """The event log was altered. It is derived data: a repair starts a new one."""

    def __init__(self, segment: str) -> None:
        super().__init__(f"The event log cannot be read: {segment} is damaged.", "biblicus check --repair")


class RunDamaged(BadData, SearchError):
    """A run's manifest or materialization is torn, altered or incomplete."""

    def __init__(self, run_id: str, cause: str) -> None:
        super().__init__(f"The run {run_id} cannot be used: {cause}.", "biblicus reindex --fresh")


class StoreMismatch(BadData):
    """The database schema for a corpus's runs contains something else."""

    def __init__(self, name: str, schema: str, cause: str, hint: str = "") -> None:
        super().__init__(
            f"The schema {schema} of the store {name} {cause}.",
            hint or "name another schema under corpora in your settings",
        )


class WordsDamaged(RunDamaged, LexicalIndexError):
    """A run's lexical index cannot be opened."""


class VectorsDamaged(RunDamaged, VectorIndexError):
    """A run's vector index cannot be opened: its rows, or its graph."""


class RunOutdated(BadData, SearchError):
    """A run built by another version of a component, which this version would misread."""

    def __init__(self, run_id: str, component: str) -> None:
        super().__init__(f"The run {run_id} was built with another version of {component}.", "biblicus reindex")


class ExtractionFailed(BadData):
    """A file gave no text because it is broken, encrypted, or exceeded a limit. Recorded, never fatal to a run."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnfitInput(BadData):
    """An ingested document is too short, too long, or has no readable text."""

    def __init__(self, cause: str, hint: str = "") -> None:
        super().__init__(f"The document was not added: {cause}.", hint)


class BibliographyUnreadable(BadData):
    """A bibliography file is neither BibTeX nor CSL-JSON, or has no entries."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path} cannot be read as a bibliography: {cause}.", "export it as BibTeX or CSL-JSON")


class HeadTooLarge(BadData):
    """The head of a request, its address and headers, is larger than the service accepts."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The head of the request is larger than {limit:,} bytes.")


class BodyTooLarge(BadData):
    """The body of a request is larger than the service accepts."""

    code = "too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is larger than {limit:,} bytes.")
