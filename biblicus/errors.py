"""The error tree: each class owns its sentence, its fields, its exit code and its HTTP status.

Connectors have one boundary each: they catch `BiblicusError`, show `message` and `hint`, and leave with `exit_code`.
`hint` is the next command to type, or a short remedy. Texts from a corpus are shown through `guards.terminal`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType


class BiblicusError(Exception):
    """Something went wrong that a person can act on."""

    code = "internal"
    exit_code = 1
    http_status = 500

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_object(self) -> dict[str, str]:
        """The object that programs read from the last line of standard error."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


# --- the families, one per exit code ---------------------------------------------------------------------------------


class UsageError(BiblicusError):
    """The call's own words are off."""

    code = "usage"
    exit_code = 2
    http_status = 400


class NotFound(BiblicusError):
    """What was named does not exist here."""

    code = "not_found"
    exit_code = 3
    http_status = 404


class CheckFailed(BiblicusError):
    """A check or gate that was asked for did not pass."""

    code = "check_failed"
    exit_code = 4
    http_status = 409


class BadData(BiblicusError):
    """A file on disk or a document on the wire is not what it should be."""

    code = "bad_data"
    exit_code = 5
    http_status = 422


class Unavailable(BiblicusError):
    """Something needed is not there for now: an extra, a disk with room, a lock, a service."""

    code = "unavailable"
    exit_code = 6
    http_status = 503


class Refused(BiblicusError):
    """Authorisation, trust or safety forbids it."""

    code = "refused"
    exit_code = 7
    http_status = 403


# --- usage -----------------------------------------------------------------------------------------------------------


class BlankQuestion(UsageError):
    code = "blank_question"

    def __init__(self) -> None:
        super().__init__("The question is blank.", 'biblicus query "your question"')


class UnknownName(UsageError):
    """A plug-in, option value or other closed set was asked for a member it lacks."""

    code = "unknown_name"

    def __init__(self, kind: str, name: str, known: Sequence[str], hint: str = "") -> None:
        super().__init__(f'There is no {kind} "{name}"; known: {", ".join(known) or "none"}.', hint)


class CorpusExists(UsageError):
    code = "corpus_exists"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is already a corpus.", "biblicus ingest")


class OutOfBounds(UsageError):
    """A span, line range or page that the item does not have."""

    code = "out_of_bounds"

    def __init__(self, what: str, available: str) -> None:
        super().__init__(f"{what} is outside the item, which has {available}.", "biblicus show ITEM")


class MethodRefused(UsageError):
    """The service knows the address, but not with this method."""

    code = "method_not_allowed"
    http_status = 405

    def __init__(self) -> None:
        super().__init__("This address does not take that method.", "GET /openapi.json")


class ContentTypeRefused(UsageError):
    """The service was sent a body of another type than it reads."""

    code = "content_type"
    http_status = 415

    def __init__(self, wanted: str) -> None:
        super().__init__(f"The body must be {wanted}.", f"Content-Type: {wanted}")


class HostRefused(UsageError):
    """A request named a host that the service does not answer to: a name that was bent to this address, perhaps."""

    code = "host_refused"
    http_status = 421

    def __init__(self) -> None:
        super().__init__("This service does not answer to that host name.", "biblicus serve --allow-host NAME")


# --- not found -------------------------------------------------------------------------------------------------------


class CorpusNotFound(NotFound):
    code = "corpus_not_found"

    def __init__(self, path: str) -> None:
        super().__init__(f"There is no corpus in {path} or above it.", "biblicus init")


class CorpusUnknown(NotFound):
    """A service, or this user's `places`, has no corpus of this name."""

    code = "corpus_unknown"

    def __init__(self, name: str, known: Sequence[str], hint: str = "biblicus serve PATH") -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No corpus is named "{name}" here; known: {shown}.', hint)


class ItemNotFound(NotFound):
    code = "item_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'No item is named "{name}".', "biblicus list")


class WeightNotFound(NotFound):
    code = "weight_not_found"

    def __init__(self, target: str) -> None:
        super().__init__(f'"{target}" has no weight.', "biblicus weight list")


class AmbiguousItem(UsageError):
    code = "ambiguous_item"

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[:5]) + (", …" if len(candidates) > 5 else "")
        super().__init__(f'"{name}" fits several items: {shown}.', "biblicus show LONGER-ID")


class NoText(NotFound):
    """The item exists but has no text to read."""

    code = "no_text"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} has no text: {reason}.", f"biblicus show {path}")


class RunNotFound(NotFound):
    code = "run_not_found"

    def __init__(self, run_id: str) -> None:
        super().__init__(f'There is no run "{run_id}".', "biblicus runs list")


class AmbiguousRun(UsageError):
    code = "ambiguous_run"

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[-3:]) + (", …" if len(candidates) > 3 else "")
        super().__init__(f'"{name}" fits {len(candidates)} runs: {shown}.', "biblicus runs list")


class NoRun(NotFound):
    """The recipe has not been built yet."""

    code = "no_run"

    def __init__(self, recipe: str, default: bool) -> None:
        command = "biblicus reindex" if default else f"biblicus reindex --recipe {recipe}"
        super().__init__(f'The recipe "{recipe}" has no run yet.', command)


class NotMaterialized(NotFound):
    """A committed run that was not built on this machine yet."""

    code = "not_materialized"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"The run {run_id} is not built on this machine yet.", "biblicus reindex")


class VectorsGone(NotFound):
    """A run whose vectors were deleted, damaged or made elsewhere: they are derived, and can be made again."""

    code = "vectors_gone"

    def __init__(self) -> None:
        super().__init__("The vectors of this run are not on this machine.", "biblicus reindex")


class RecipeNotFound(NotFound):
    code = "recipe_not_found"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f'There is no recipe "{name}"; known: {", ".join(known)}.', "biblicus recipes list")


class DatasetNotFound(NotFound):
    code = "dataset_not_found"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no dataset "{name}"; known: {shown}.', "biblicus datasets list")


class GoldenNotFound(NotFound):
    code = "golden_not_found"

    def __init__(self, file: str) -> None:
        hint = f"{file}: {{golden: [{{question: …, expect: {{document: PATH}}}}]}}"
        super().__init__(f"There are no golden questions in {file}.", hint)


class PersonaNotFound(NotFound):
    code = "persona_not_found"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no persona "{name}"; known: {shown}.', "biblicus personas list")


class TokenNotFound(NotFound):
    code = "token_not_found"

    def __init__(self, token_id: str) -> None:
        super().__init__(f'There is no token "{token_id}".', "biblicus token list")


class JobNotFound(NotFound):
    """A job that this service does not know: jobs are forgotten when it stops."""

    code = "job_not_found"

    def __init__(self, job_id: str) -> None:
        super().__init__(f'There is no job "{job_id}".')


class RouteNotFound(NotFound):
    """The service has nothing under this address."""

    code = "route_not_found"

    def __init__(self) -> None:
        super().__init__("There is nothing under this address.", "GET /openapi.json")


class EventsGone(NotFound):
    """A cursor of a log that was begun anew, or whose next events were deleted for want of room."""

    code = "events_gone"
    http_status = 410

    def __init__(self, cursor: str) -> None:
        super().__init__(f"The event log does not go on from {cursor}.", "biblicus list, then events --after now")


class SourceUnlisted(NotFound):
    """No source of this name is listed."""

    code = "source_unlisted"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no source "{name}"; known: {shown}.', "biblicus sources list")


class SourceNotFound(NotFound):
    code = "source_not_found"

    def __init__(self, path: str) -> None:
        super().__init__(f"There is no file or folder {path}.", "biblicus ingest PATH")


# --- checks ----------------------------------------------------------------------------------------------------------


class DuplicateItem(CheckFailed):
    """`--on-duplicate error` met bytes or text that the corpus already holds."""

    code = "duplicate"

    def __init__(self, source: str, first: str) -> None:
        super().__init__(f"{source} is a duplicate of {first}.", "biblicus ingest --on-duplicate skip|keep")


# --- bad data --------------------------------------------------------------------------------------------------------


class NewerSchema(BadData):
    code = "newer_schema"

    def __init__(self, path: str, version: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {version}; this Biblicus reads up to {known}.",
            "pip install --upgrade biblicus-corpus",
        )


class CatalogUnreadable(BadData):
    code = "catalog_unreadable"

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path} cannot be read: {cause}.", "biblicus check --repair")


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


class RunDamaged(BadData):
    """A run's manifest or materialization is torn, altered or incomplete."""

    code = "run_damaged"

    def __init__(self, run_id: str, cause: str) -> None:
        super().__init__(f"The run {run_id} cannot be used: {cause}.", "biblicus reindex --fresh")


class RunOutdated(BadData):
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


class BodyTooLarge(BadData):
    """What was sent is larger than the service takes."""

    code = "too_large"
    http_status = 413

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is larger than {limit:,} bytes.")


# --- unavailable -----------------------------------------------------------------------------------------------------


class ExtraMissing(Unavailable):
    code = "extra_missing"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra that is not installed.", f'pip install "biblicus-corpus[{extra}]"')


class UnknownModel(Unavailable):
    """A recipe names a model that this machine's user has not defined: a corpus cannot define one."""

    code = "unknown_model"

    def __init__(self, kind: str, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No {kind} is named "{name}" here; known: {shown}.', f"define it in {where}")


class EmbedderUnavailable(Unavailable):
    """A model or the service behind it does not answer, or not as it should."""

    code = "embedder_unavailable"

    def __init__(self, name: str, cause: str, hint: str = "") -> None:
        super().__init__(f"The embedder {name} cannot be used: {cause}.", hint)


class LLMError(Unavailable):
    """A language model or the server behind it does not answer, or not as it should.

    `reply`: what it said where that was no use; a program may look at it, and `--debug` shows it. It is no part of the
    sentence, since a model repeats what it has read. `passing`: the same request may do better later, in `pause`
    seconds where the server said so. `status`: HTTP's, 0 without an answer. `unanswered`: there was no connection.
    `tokens`: what was used until then, as in `contracts.LLMResult`, with `requests`.
    """

    code = "llm"
    reply = ""
    tokens: Mapping[str, int] = MappingProxyType({})
    passing = False
    unanswered = False
    pause = 0.0
    status = 0

    def __init__(
        self,
        model: str,
        cause: str,
        hint: str = "",
        *,
        reply: str = "",
        passing: bool = False,
        unanswered: bool = False,
        pause: float = 0.0,
        status: int = 0,
    ) -> None:
        super().__init__(f"The language model {model} cannot be used: {cause}.", hint)
        self.cause, self.reply, self.status = cause, reply, status
        self.passing, self.unanswered, self.pause = passing or unanswered, unanswered, pause
        if reply:
            self.add_note(f"It said: {reply[:4000]!a}")


class NoLLM(LLMError):
    """What was asked for needs a language model, and the user has named none."""

    code = "no_llm"

    def __init__(self, what: str, where: str = "~/.config/biblicus/config.yml") -> None:
        Unavailable.__init__(
            self,
            f"{what} needs a language model, and none is named here.",
            f"name one in {where}: llms: {{mine: {{by: ollama, model: …}}}}",
        )
        self.cause = "none is named"


class IngestionError(Unavailable):
    """A web address, or a source that documents come from, does not give what was asked of it.

    `status`: HTTP's, 0 without an answer. `pause`: seconds after which it asks to be tried again; 0 where it does not.
    """

    code = "ingestion"

    def __init__(self, url: str, cause: str, hint: str = "", *, status: int = 0, pause: float = 0.0) -> None:
        super().__init__(f"{url} could not be fetched: {cause}.", hint or "the same later")
        self.url, self.cause, self.status, self.pause = url, cause, status, pause


class PlaceDown(Unavailable):
    """A daemon or a service that a query was sent to does not answer."""

    code = "place_down"

    def __init__(self, place: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{place} does not answer: {cause}.", hint or "the same with --at local")


class LockTimeout(Unavailable):
    code = "locked"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Another biblicus is writing to this corpus (waited {seconds:.0f} s).",
            "the same command when that has finished",
        )


class StorageFailed(Unavailable):
    """The operating system refused to write, delete or read something. No file is half written; what the command had
    changed before is said, and what finishes its work."""

    code = "storage_failed"

    def __init__(
        self,
        path: str,
        cause: str,
        what: str = "could not be written",
        stands: str = "",
        then: str = "the same command",
    ) -> None:
        """`what` could not be done. `stands`: a sentence on what was changed before, after a blank."""
        super().__init__(f"{path} {what}: {cause}.{stands}", f"free space or fix permissions, then {then}")
        self.path, self.cause, self.what = path, cause, what


class Busy(Unavailable):
    """The service has as much to do as it may hold; nothing was done."""

    code = "busy"
    http_status = 429

    def __init__(self) -> None:
        super().__init__("The service is busy.", "the same in a moment")


class SlowBody(Unavailable):
    """A client took too long to send what it announced."""

    code = "slow_body"
    http_status = 408

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The body did not come within {seconds:.0f} s.", "the same over a faster line")


class Stopping(Unavailable):
    code = "stopping"

    def __init__(self) -> None:
        super().__init__("The service is stopping.", "the same in a moment")


class DeadlineExceeded(Unavailable):
    code = "deadline"

    def __init__(self) -> None:
        super().__init__("The deadline passed before the work was done.", "the same with more time")


class Cancelled(Unavailable):
    code = "cancelled"

    def __init__(self) -> None:
        super().__init__("It was cancelled before the work was done.")


# --- refused ---------------------------------------------------------------------------------------------------------


class Untrusted(Refused):
    """A materialization or cache was not sealed by this machine."""

    code = "untrusted"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} was not built on this machine and is not opened.", "biblicus reindex (or: biblicus trust)"
        )


class SourceUntrusted(Refused):
    """A source that somebody else listed: a committed file causes no connection before this user trusts it."""

    code = "source_untrusted"

    def __init__(self, name: str, where: str) -> None:
        super().__init__(f"The source {name} ({where}) is not trusted on this machine yet.", "biblicus trust")


class SourceNotAllowed(Refused):
    """A source lies on this machine, outside the corpus, and this user has not allowed that."""

    code = "source_not_allowed"

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"The source {name} lies on this machine ({where}).", f"biblicus sources sync {name} --allow-local"
        )


class UnsafeInput(Refused):
    """An input that a safety rule turns away: a special file, an escaping path, an address, a bomb."""

    code = "unsafe_input"


class Unauthorized(Refused):
    """The service asks for a token and got none, or one it does not know."""

    code = "unauthorized"
    http_status = 401

    def __init__(self) -> None:
        super().__init__("This service needs a valid token.", "BIBLICUS_TOKEN=… (from: biblicus token new)")


class ScopeMissing(Refused):
    """The token is known and does not reach that far."""

    code = "scope_missing"

    def __init__(self, scope: str) -> None:
        super().__init__(f"That needs the scope {scope}.", f"biblicus token new --scope {scope}")


class OriginRefused(Refused):
    """A page of another origin asked, through somebody's browser."""

    code = "origin_refused"

    def __init__(self) -> None:
        super().__init__("Pages of that origin may not ask this service.", "biblicus serve --allow-origin ORIGIN")


class TokenNeeded(Refused):
    """A service that others reach is started only with tokens."""

    code = "token_needed"

    def __init__(self, host: str) -> None:
        super().__init__(f"On {host} others reach this service, and there is no token yet.", "biblicus token new")


class ReadOnlyCorpus(Refused):
    code = "read_only"

    def __init__(self, name: str) -> None:
        super().__init__(f'The corpus "{name}" is read-only here.')


# --- over a wire -----------------------------------------------------------------------------------------------------


def from_object(document: Mapping[str, object], status: int | None = None) -> BiblicusError:
    """The error that a service or daemon sent, of the class that has its code.

    A code that nothing here knows becomes the family of its HTTP status, so that exit codes hold across versions.
    """
    code = str(document.get("code") or "internal")
    known = {cls.code: cls for cls in reversed(_tree(BiblicusError))}
    families = {family.http_status: family for family in BiblicusError.__subclasses__()}
    family = known.get(code) or families.get(status or 500, BiblicusError)
    error = family.__new__(family)
    BiblicusError.__init__(error, str(document.get("message") or "Something failed."), str(document.get("hint") or ""))
    error.code = code
    return error


def _tree(top: type[BiblicusError]) -> list[type[BiblicusError]]:
    """The class and all below it, parents first."""
    return [top, *(cls for child in top.__subclasses__() for cls in _tree(child))]
