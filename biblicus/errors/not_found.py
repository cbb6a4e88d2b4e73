"""Errors for objects that do not exist here, no longer exist, or are not built yet."""

from __future__ import annotations

from collections.abc import Sequence

from biblicus.errors.families import NotFound, SearchError, VectorIndexError, typed


class CorpusNotFound(NotFound):
    def __init__(self, path: str) -> None:
        super().__init__(f"There is no corpus in {path} or above it.", "biblicus init")


class CorpusUnknown(NotFound):
    """A service, or this user's `places`, has no corpus of this name."""

    def __init__(self, name: str, known: Sequence[str], hint: str = "biblicus serve PATH") -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No corpus is named "{name}" here; known: {shown}.', hint)


class ItemNotFound(NotFound):
    def __init__(self, name: str, near: str = "", *, gone: str = "") -> None:
        """Create the error. `gone`: why an item of the catalog cannot be read."""
        meant = f'; did you mean "{near}"?' if near else "."
        message = f'"{name}" is not there any more: {gone}.' if gone else f'No item is named "{name}"{meant}'
        super().__init__(message, "biblicus reindex" if gone else "biblicus list")


class WeightNotFound(NotFound):
    def __init__(self, target: str) -> None:
        super().__init__(f'"{target}" has no weight.', "biblicus weight list")


class AlertNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no alert {name}.", "biblicus alerts list")


class NoteNotFound(NotFound):
    def __init__(self, note: str) -> None:
        super().__init__(f"No note has the id {note}.", "biblicus note list")


class NoText(NotFound):
    """The item exists but has no text."""

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{path} has no text: {reason}.", hint or f"biblicus show {typed(path)}")


class NoPageImage(NotFound):
    """The item's page cannot be shown as an image."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} has no picture of that page: {reason}.", f"biblicus show {typed(path)}")


class NotShown(NotFound):
    """The item's file cannot be shown in a web page."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be shown: {reason}.", f"biblicus show {typed(path)}")


class RunNotFound(NotFound):
    def __init__(self, run_id: str) -> None:
        super().__init__(f'There is no run "{run_id}".', "biblicus runs list")


class PublicationNotFound(NotFound):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no publication "{name}"; known: {shown}.', "biblicus publish NAME")


class RunFolded(RunNotFound):
    """A run made for one document was replaced by a later one. `into`: id of the later run."""

    def __init__(self, run_id: str, into: str) -> None:
        NotFound.__init__(
            self,
            f"The run {run_id} was replaced by {into}: of runs made for single documents, only the newest stays.",
            f"biblicus runs show {into}",
        )
        self.into = into


class NoRun(NotFound, SearchError):
    """The recipe has not been built yet."""

    def __init__(self, recipe: str, default: bool) -> None:
        command = "biblicus reindex" if default else f"biblicus reindex --recipe {recipe}"
        super().__init__(f'The recipe "{recipe}" has no run yet.', command)


class NotMaterialized(NotFound, SearchError):
    """A committed run is missing in its store: not built there yet, or lost."""

    def __init__(self, run_id: str, store: str = "", kept_by: str = "") -> None:
        """Create the error. `store`: the store chosen for this command. `kept_by`: the database that should have the
        run."""
        option = f" --store {store}" if store else ""
        where = (
            f"in the store {kept_by}: it was never built there, or is lost" if kept_by else "built on this machine yet"
        )
        super().__init__(f"The run {run_id} is not {where}.", f"biblicus reindex{option}")


class RunPruned(NotFound, SearchError):
    """A run whose index was deleted in favour of newer ones."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"The index of the run {run_id} was deleted; newer ones took its place.",
            "the same command without a run; biblicus runs list shows which exist",
        )


class VectorsGone(NotFound, VectorIndexError):
    """A run whose vectors are missing, damaged or from another machine; they can be rebuilt."""

    def __init__(self) -> None:
        super().__init__("The vectors of this run are not on this machine.", "biblicus reindex")


class RecipeNotFound(NotFound):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f'There is no recipe "{name}"; known: {", ".join(known)}.', "biblicus recipes list")


class DatasetNotFound(NotFound):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        hint = "biblicus datasets list" if known else "biblicus datasets synthesize"
        super().__init__(f'There is no dataset "{name}"; known: {shown}.', hint)


class EvaluationNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f'There is no evaluation "{name}".', "biblicus eval DATASET")


class GoldenNotFound(NotFound):
    def __init__(self, file: str) -> None:
        hint = f"{file}: {{golden: [{{question: …, expect: {{document: PATH}}}}]}}"
        super().__init__(f"There are no golden questions in {file}.", hint)


class PersonaNotFound(NotFound):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no persona "{name}"; known: {shown}.', "biblicus personas list")


class TokenNotFound(NotFound):
    def __init__(self, token_id: str) -> None:
        super().__init__(f'There is no token "{token_id}".', "biblicus token list")


class JobNotFound(NotFound):
    """The service does not know this job; jobs are lost when it stops."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f'There is no job "{job_id}".')


class RouteNotFound(NotFound):
    """The service has no route with this address."""

    def __init__(self) -> None:
        super().__init__("There is nothing under this address.", "GET /openapi.json")


class EventsGone(NotFound):
    """A cursor of an older log, or one whose next events were deleted to save space."""

    def __init__(self, cursor: str) -> None:
        super().__init__(
            f"The event log does not go on from {cursor}.", "list the items anew, then the events after now"
        )


class SourceUnlisted(NotFound):
    """No source of this name is configured."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'There is no source "{name}"; known: {shown}.', "biblicus sources list")


class SourceNotFound(NotFound):
    """A path given to a command does not exist. `hint`: a valid form of the command."""

    def __init__(self, path: str, hint: str = "biblicus ingest PATH") -> None:
        super().__init__(f"There is no file or folder {path}.", hint)
