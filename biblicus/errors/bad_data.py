"""A file on disk or a document on the wire is not what it should be, or a check of it did not pass."""

from __future__ import annotations

from biblicus.errors.families import BadData, CheckFailed, LexicalIndexError, SearchError, VectorIndexError


class DuplicateItem(CheckFailed):
    """`--on-duplicate error` met bytes or text that the corpus already holds."""

    code = "duplicate"

    def __init__(self, source: str, first: str) -> None:
        super().__init__(f"{source} is a duplicate of {first}.", "biblicus ingest --on-duplicate skip|keep")


class NewerSchema(BadData):
    code = "newer_schema"

    def __init__(self, path: str, version: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {version}; this Biblicus reads up to {known}.",
            "pip install --upgrade biblicus-corpus",
        )


class CatalogUnreadable(BadData):
    code = "catalog_unreadable"

    def __init__(self, path: str, cause: str, hint: str = "biblicus check --repair") -> None:
        super().__init__(f"{path} cannot be read: {cause}.", hint)


class CatalogGone(CatalogUnreadable):
    """The catalog was deleted: what else is kept tells that there was one."""

    code = "catalog_gone"

    def __init__(self, path: str) -> None:
        BadData.__init__(self, f"{path} is gone.", "biblicus reindex")


class ConfigInvalid(BadData):
    """A recipe, configuration, sidecar or other data file of the user's does not validate."""

    code = "invalid_file"

    def __init__(self, path: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{path}: {cause}", hint or f"edit {path}")


class EditorialLogDamaged(BadData):
    """The log of promotions is not what was written: nothing is shown as approved by it."""

    code = "editorial_log_damaged"

    def __init__(self, path: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{path} cannot be relied on: {cause}.", hint or f"git checkout {path}")


class PersonaError(BadData):
    """A persona's file does not validate, or what it names (a manual corpus, a recipe) cannot be used.

    `remedy`: what to do about it, for a check, which lists all that is wrong.
    """

    code = "persona_invalid"

    def __init__(self, name: str, cause: str, remedy: str = "") -> None:
        super().__init__(f"The persona {name} cannot answer: {cause}.", f"biblicus personas check {name}")
        self.cause, self.remedy = cause, remedy


class EventsDamaged(BadData):
    """The event log has been altered. It is derived: repair begins it anew."""

    code = "events_damaged"

    def __init__(self, segment: str) -> None:
        super().__init__(f"The event log cannot be read: {segment} is damaged.", "biblicus check --repair")


class RunDamaged(BadData, SearchError):
    """A run's manifest or materialization is torn, altered or incomplete."""

    code = "run_damaged"

    def __init__(self, run_id: str, cause: str) -> None:
        super().__init__(f"The run {run_id} cannot be used: {cause}.", "biblicus reindex --fresh")


class StoreMismatch(BadData):
    """The schema in which a corpus's runs should be kept holds something else."""

    code = "store_mismatch"

    def __init__(self, name: str, schema: str, cause: str, hint: str = "") -> None:
        super().__init__(
            f"The schema {schema} of the store {name} {cause}.",
            hint or "name another schema under corpora in your settings",
        )


class WordsDamaged(RunDamaged, LexicalIndexError):
    """A run's index by words does not open."""

    code = "words_damaged"


class VectorsDamaged(RunDamaged, VectorIndexError):
    """A run's index by meaning does not open: its rows, or its graph."""

    code = "vectors_damaged"


class RunOutdated(BadData, SearchError):
    """A run that another version of a component built, whose index this one would misread."""

    code = "run_outdated"

    def __init__(self, run_id: str, component: str) -> None:
        super().__init__(f"The run {run_id} was built with another version of {component}.", "biblicus reindex")


class ExtractionFailed(BadData):
    """One file gave no text because it is broken, encrypted, or broke a limit. Recorded, never fatal to a run."""

    code = "extraction_failed"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnfitInput(BadData):
    """A document that was sent to be ingested is too short, too long, or nothing that text can be read from."""

    code = "unfit_input"

    def __init__(self, cause: str, hint: str = "") -> None:
        super().__init__(f"The document was not taken: {cause}.", hint)


class BibliographyUnreadable(BadData):
    """A file of references is neither BibTeX nor CSL-JSON, or holds none."""

    code = "bibliography_unreadable"

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path} cannot be read as a bibliography: {cause}.", "export it as BibTeX or CSL-JSON")


class HeadTooLarge(BadData):
    """The head of a request, its address and headers, is larger than the service takes."""

    code = "head_too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The head of the request is larger than {limit:,} bytes.")


class BodyTooLarge(BadData):
    """What was sent is larger than the service takes."""

    code = "too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is larger than {limit:,} bytes.")
