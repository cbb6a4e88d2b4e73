"""Extractors and transcribers that are found by name.

Third-party extractors in the corpus's default recipe also describe files in the catalog. The user's own
`default_recipe` is not considered: the catalog is the same for everybody who has the plug-ins. Files of a missing
plug-in are described as unsupported. A transcriber is defined in the user's settings or built in, never by a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus import plugins
from biblicus.config import Settings, settings_file
from biblicus.contracts import Call, Extractor, Transcriber
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import TranscriberUnavailable, UnknownModel
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Choice
from biblicus.text import media

if TYPE_CHECKING:
    from biblicus.extraction.workers.pool import Job

Outcome = Extraction | NoExtraction

BUILT_IN = ("whisper",)
OFF = "none"
"""Name in a recipe for no transcriber."""


@dataclass(frozen=True)
class Plugged:
    """`options`: of each plug-in, by name. `types`: media type by extension. `holders`: module with `members`, by media
    type. `versions`: name, fingerprint and options of each plug-in."""

    options: Mapping[str, Choice]
    types: Mapping[str, str]
    holders: Mapping[str, str]
    versions: tuple[tuple[str, Any, Choice], ...]

    def media_type(self, path: str, head: bytes) -> str:
        """Return the media type of a file. A plug-in's extension is used if the content is plain text or unknown."""
        detected_type = media.media_type(path, head)
        if not self.types or media.choose(detected_type) not in (None, "text"):
            return detected_type
        return self.types.get(path.rpartition(".")[2].lower(), detected_type)


NONE = Plugged({}, {}, {}, ())


def plugged(corpus: CorpusFolder) -> Plugged:
    """Return the plug-ins of the default recipe."""
    foreign = {
        name: choice
        for name, choice in recipes.reading_options(corpus, corpus.config.default_recipe).items()
        if name not in (*plugins.OURS["extraction"], "ocr", "stt")
    }
    types: dict[str, str] = {}
    holders: dict[str, str] = {}
    versions = []
    for name in sorted(foreign, reverse=True):
        module = plugins.find("extraction", name)
        extractor: Extractor = plugins.make("extraction", name, foreign[name])
        versions.append((name, extractor.fingerprint, foreign[name]))
        extensions = getattr(module, "EXTENSIONS", ())
        added_types = dict(extensions) if isinstance(extensions, Mapping) else {}
        types |= added_types
        if hasattr(module, "members"):
            holders |= dict.fromkeys((*getattr(module, "MEDIA_TYPES", ()), *added_types.values()), module.__name__)
    return Plugged(foreign, types, holders, tuple(versions)) if foreign else NONE


def claims(names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the plug-in by media type, and by extension. If two claim one, the first by name wins."""
    types: dict[str, str] = {}
    extensions: dict[str, str] = {}
    for name in sorted(names, reverse=True):
        module = plugins.find("extraction", name)
        module_extensions = getattr(module, "EXTENSIONS", ())
        types |= dict.fromkeys(getattr(module, "MEDIA_TYPES", ()), name)
        types |= dict.fromkeys(module_extensions.values() if isinstance(module_extensions, Mapping) else (), name)
        extensions |= dict.fromkeys(module_extensions, name)
    return types, extensions


def transcriber_of(settings: Settings, name: str) -> Transcriber:
    """Return the transcriber of this name. Raises `UnknownModel`, `ConfigInvalid`."""
    setting = settings.transcribers.get(name)
    if setting is None and name in BUILT_IN:
        built_in: Transcriber = plugins.make("stt", name, {})
        return built_in
    if setting is None:
        where = f"{settings_file()}: transcribers: {{{name}: {{by: openai-compatible, model: …, url: …}}}}"
        raise UnknownModel("transcriber", name, [*BUILT_IN, *sorted(settings.transcribers)], where)
    where, remedy = f"{settings_file()}: transcribers.{name}", f"edit {settings_file()}"
    transcriber: Transcriber = plugins.make("stt", setting.by, setting.options, where=where, remedy=remedy)
    return transcriber


def transcribed(job: Job, outcome: Outcome, transcriber: Transcriber, limit: int, call: Call) -> Outcome:
    """Add the spoken words to the text from a recording's container. `limit`: maximum bytes of the file.

    If the transcriber is unavailable, the failure is temporary: the file is tried again the next time. Raises
    `OSError`, `UnsafeInput`."""
    if isinstance(outcome, NoExtraction) and outcome.status not in ("empty", "unsupported"):
        return outcome
    from biblicus.extraction.stt import heard  # lazy: few recipes transcribe recordings

    source = job.source() if callable(job.source) else job.source
    data = source if isinstance(source, bytes) else files.read(Path(source), limit=limit)
    try:
        return heard(outcome, transcriber.transcribe(data, job.hint.path, call))
    except TranscriberUnavailable as error:
        return NoExtraction("failed", f"could not be read: {error.message}")
