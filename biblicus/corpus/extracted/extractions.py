"""Get the extraction of an item: from memory, from the cache, in-process for text, in guarded workers otherwise."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from biblicus import guards, plugins
from biblicus.contracts import Call, Extractor, Given, MediaHint, Transcriber
from biblicus.corpus import recipes
from biblicus.corpus.editorial.approvals import read_approved
from biblicus.corpus.extracted import extraction_cache as cache
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.contents import BY_BIBLICUS, Contents, closed, passwords_for
from biblicus.corpus.extracted.plugged import OFF, Plugged, claims, plugged, transcribed, transcriber_of
from biblicus.corpus.extracted.transcripts import Raw as Raw
from biblicus.corpus.extracted.transcripts import raw_of as raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.disk import files
from biblicus.errors import ExtractionFailed, UnknownName, UnsafeInput
from biblicus.extraction import ocr, workers
from biblicus.models.digest import digest
from biblicus.models.extraction import Elsewhere, Extraction, NoExtraction
from biblicus.models.recipe import Choice
from biblicus.text import media
from biblicus.text.media.format_names import format_name
from biblicus.text.paths import depth_of, is_member

if TYPE_CHECKING:
    from biblicus.extraction.ocr.stage import Stage
    from biblicus.extraction.workers.pool import Job
    from biblicus.guards.side_by_side import Executor

Outcome = Extraction | NoExtraction
_MEMORY = 48 << 20
_NO_EXTRACTOR = "no extractor for "
_TRANSCRIBED = "subtitles"
"""Extractor of transcripts next to recordings."""
_OCR = "ocr"
"""Key in a recipe's extraction that is no extractor but a stage of the following extractors."""
_SCANNED = ("pdf", "picture")
_ARCHIVE = "archive"
"""Extractor of files that contain only members."""
_LOCKED = frozenset(("pdf", "ole", _ARCHIVE))
"""Extractors of files that may need a password."""
_STT, _RECORDING = "stt", "recording"
"""Key of a stage, and the extractor it belongs to."""
_UNREAD_SCANS = ("needs ocr: page", "needs ocr: a picture")
_UNHEARD = ("empty: a recording", f"unsupported: {_NO_EXTRACTOR}audio/", f"unsupported: {_NO_EXTRACTOR}video/")
"""Beginnings of the reasons for files that these stages could read."""
_UNREAD = ("changed", "could not be read")
"""Beginnings of failures that do not depend on the content; they are not cached."""
_BY_MACHINE = ("it took longer than", "the parser crashed (SIGKILL)")
"""Beginnings of failures that a busy machine may have caused; cached only when a file fails so twice."""


_LONGEST = 200


def extracted(extractor: Extractor, raw: bytes, hint: MediaHint) -> Outcome:
    """Return the outcome; a failure if the extractor raises or its text contains a lone surrogate."""
    try:
        outcome = extractor.extract(raw, hint)
        if isinstance(outcome, Extraction) and not outcome.text.isascii():
            outcome.text.encode()
        return outcome
    except ExtractionFailed as error:
        return NoExtraction("failed", error.reason)
    except Exception as error:  # a reader may raise anything on a broken file
        return NoExtraction("failed", " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST])


def _is_unread(outcome: Outcome) -> bool:
    return isinstance(outcome, NoExtraction) and outcome.reason.startswith(_UNREAD)


def _unread(error: OSError | UnsafeInput) -> NoExtraction:
    return NoExtraction("failed", files.describe(error) if isinstance(error, OSError) else error.message)


@dataclass
class Extractions:
    """The extractions of one writer's pass, with a bounded memory of decoded texts not yet used.

    `retry_failed`: parse files with a cached failure once more. `room`: characters kept in memory. `elsewhere`: helper
    number that decoded a path's text. `executor`: remote parser."""

    corpus: CorpusFolder
    call: Call
    options: dict[str, Choice] = field(default_factory=dict)
    retry_failed: bool = False
    _failed: dict[str, NoExtraction] = field(default_factory=dict)
    _plugins: dict[str, Extractor] = field(default_factory=dict)
    _bases: dict[str, str] = field(default_factory=dict)
    _memory: dict[tuple[str, str, str], Extraction] = field(default_factory=dict)
    _held: int = 0
    room: int = _MEMORY
    elsewhere: dict[str, int] = field(default_factory=dict)
    executor: Executor | None = None

    def with_options(self, options: Mapping[str, Choice]) -> Extractions:
        """Return the same pass with other options; its failed files are not tried again."""
        if options == self.options:
            return self
        arguments = self.corpus, self.call, dict(options), self.retry_failed, self._failed
        return Extractions(*arguments, executor=self.executor)

    @property
    def limits(self) -> dict[str, object]:
        """Return the limits for one file in a worker, and a digest of the known passwords.
        `seconds` and `memory` (bytes); with OCR also those of a page."""
        settings = self.corpus.settings
        limits: dict[str, object] = {"seconds": settings.extraction_seconds, "memory": settings.extraction_memory}
        if _OCR in self.options:
            limits |= {"ocr_seconds": settings.ocr_seconds, "ocr_memory": settings.ocr_memory}
        if settings.passwords or self.call.passwords:
            limits["passwords"] = digest([settings.passwords, self.call.passwords], 16)
        return limits

    def _extractor(self, name: str) -> Extractor:
        if name not in self._plugins:
            resources = Given(ocr=self._stage if self._ocr(name) is not None else None)
            self._plugins[name] = plugins.make("extraction", name, self.options.get(name, {}), resources)
        return self._plugins[name]

    def _ocr(self, name: str) -> Choice | None:
        """Return the recipe's OCR engine and options, for an extractor of possibly scanned files."""
        return self.options.get(_OCR) if name in _SCANNED else None

    @cached_property
    def _stage(self) -> Stage:
        return ocr.stage.Stage(self.options[_OCR])

    def choose(self, path: str, media_type: str) -> str | None:
        """Return the extractor of a file: a plug-in of the recipe that reads its type, else the default one.

        For plain text or an unknown type, a plug-in's file extensions are considered too."""
        default = media.choose(media_type)
        if not self.options:
            return default
        if default is None and _STT in self.options and media_type.startswith(("audio/", "video/")):
            return _RECORDING
        types, extensions = self._claims
        if (claimed := types.get(media_type)) or default not in (None, "text"):
            return claimed or default
        return extensions.get(path.rpartition(".")[2].lower(), default)

    @cached_property
    def plugged(self) -> Plugged:
        return plugged(self.corpus)

    @cached_property
    def _claims(self) -> tuple[dict[str, str], dict[str, str]]:
        return claims(self.options.keys() - {_OCR, _STT})

    def reads(self, note: Mapping[str, str]) -> bool:
        """Return true if a file noted as unsupported or scanned can be read with these options."""
        stages = (_UNREAD_SCANS if _OCR in self.options else ()) + (_UNHEARD if _STT in self.options else ())
        if note["reason"].startswith(stages):
            return True
        _, unsupported, media_type = note["reason"].partition(_NO_EXTRACTOR)
        return bool(unsupported) and self.choose(note["path"], media_type.partition(" (")[0]) is not None

    def extraction_id(self, raw: Raw) -> str:
        """Return a hash of raw digest, extractor, versions and options; empty if no extractor fits."""
        if not raw.transcript.path and self.choose(raw.path, raw.media_type) is None:
            return ""
        return hashlib.sha256(self._identity(raw).encode()).hexdigest()[:16]

    def _identity(self, raw: Raw) -> str:
        """Return everything that determines a file's extraction."""
        name = self.choose(raw.path, raw.media_type)
        key = f"{raw.sha256}:{self._base(name)}" if name else raw.sha256
        return f"{key}:{raw.transcript.sha256}:{self._base(_TRANSCRIBED)}" if raw.transcript.path else key

    def _base(self, name: str) -> str:
        """Return a digest of everything but the file that determines an extractor's result."""
        if name not in self._bases:
            parts: list[object] = [name, self._extractor(name).fingerprint, self.options.get(name, {})]
            if (ocr := self._ocr(name)) is not None:
                parts.append(ocr)
            if self._is_heard(name):
                parts.append(self._transcriber.fingerprint)
            self._bases[name] = digest(parts)
        return self._bases[name]

    def used(self, entries: Iterable[tuple[str, Entry]]) -> set[str]:
        """Return the extractors of a catalog's entries."""
        chosen: set[str | None] = set()
        for path, entry in entries:
            chosen.add(self.choose(path, entry.media_type))
            if entry.media_type.startswith(("audio/", "video/")) and transcripts.MARK in entry.line:
                chosen.add(_TRANSCRIBED)
        return {name for name in chosen if name is not None}

    def fingerprints(self, names: Iterable[str]) -> dict[str, str]:
        """Return component names and versions for manifests, without those not installed here."""
        versions: dict[str, str] = {}
        for name in sorted(names):
            with suppress(UnknownName):  # a committed manifest may name any
                heard = f" {self._transcriber.fingerprint}" if self._is_heard(name) else ""
                versions[f"extraction.{name}"] = self._extractor(name).fingerprint + heard
        return versions

    def get(self, raw: Raw, data: bytes | None = None) -> Outcome | None:
        """Return the outcome, or None if it needs a guarded worker and is not cached.

        `data`: the raw bytes, if the caller has read them."""
        if (cached := self._memory.pop(self._place(raw), None)) is not None:
            self._held -= len(cached.text)
            return cached
        outcome = self._own(raw, data)
        return outcome if outcome is None else self._transcribed(raw, outcome)

    def _own(self, raw: Raw, data: bytes | None) -> Outcome | None:
        """Return the outcome of the file itself, without its transcript; None if it needs a guarded worker."""
        name = self.choose(raw.path, raw.media_type)
        if name is None:
            none = NoExtraction("unsupported", f"{_NO_EXTRACTOR}{format_name(raw.media_type)}")
            return BY_BIBLICUS if raw.media_type == media.OWN else none
        if (too_large := self._too_large(raw)) is not None:
            return too_large
        if name == _ARCHIVE and not self.may_open(raw.path):
            return closed(raw.path)
        extractor = self._extractor(name)
        if extractor.guarded or (data is None and is_member(raw.path)):
            return self._remembered(raw)
        if data is None:
            try:
                data = read_approved(self.corpus, raw.path, raw.sha256, self.corpus.settings.max_text_bytes)
            except (OSError, UnsafeInput) as error:
                return _unread(error)
            if hashlib.sha256(data).hexdigest() != raw.sha256:
                return NoExtraction("failed", "changed while it was read; run the command again")
        return extracted(extractor, data, MediaHint(raw.path, raw.media_type))

    def _too_large(self, raw: Raw) -> NoExtraction | None:
        """Return a failure if the file is larger than the limit for memory, else None."""
        limit = self.corpus.settings.max_text_bytes
        reason = f"larger than {limit:,} bytes (max_text_bytes)"
        return NoExtraction("too large", reason) if raw.bytes > limit else None

    def may_open(self, path: str) -> bool:
        """Return true if the configuration allows members at this depth."""
        return depth_of(path) < self.corpus.config.archive_depth

    def _transcribed(self, raw: Raw, own: Outcome) -> Outcome:
        """Return the transcript of a recording combined with the metadata of the recording, or those metadata alone."""
        if not raw.transcript.path:
            return own
        try:
            data = read_approved(self.corpus, *raw.transcript, self.corpus.settings.max_text_bytes)
        except (OSError, UnsafeInput) as error:
            return _unread(error)
        if hashlib.sha256(data).hexdigest() != raw.transcript.sha256:
            return NoExtraction("failed", "changed while it was read; run the command again")
        words = self._extractor(_TRANSCRIBED).extract(data, MediaHint(raw.transcript.path, "text/vtt"))
        if not isinstance(own, Extraction) or not isinstance(words, Extraction):
            return words if isinstance(words, Extraction) else own
        warnings = (*words.warnings, *own.warnings)
        return replace(words, title=own.title, metadata={**words.metadata, **own.metadata}, warnings=warnings)

    def outcome(self, raw: Raw) -> Outcome:
        """Return the outcome, with a worker if needed."""
        outcome = self.get(raw)
        if outcome is None:
            for _, outcome in self.guarded([raw]):
                return outcome
            return NoExtraction("failed", "its parser gave no result")
        return outcome

    def is_guarded(self, path: str, media_type: str) -> bool:
        """Return true if a file is parsed in a worker process."""
        name = self.choose(path, media_type)
        return name is not None and (is_member(path) or self._extractor(name).guarded)

    def is_cached(self, raw: Raw) -> bool:
        return self._place(raw) in self._memory or self._remembered(raw) is not None

    def _place(self, raw: Raw) -> tuple[str, str, str]:
        """Return the key of a decoded text in memory."""
        return raw.sha256, raw.transcript.sha256, self.choose(raw.path, raw.media_type) or ""

    def remember(self, raw: Raw, outcome: Outcome) -> None:
        """Keep a decoded text in memory for the next build, within a bound."""
        place = self._place(raw)
        if place[-1] and isinstance(outcome, Extraction) and self._held + len(outcome.text) <= self.room:
            self._memory[place] = outcome
            self._held += len(outcome.text)

    # --- in workers ---

    def guarded(self, raws: Iterable[Raw]) -> Iterator[tuple[Raw, Outcome]]:
        """Extract in parallel worker processes and cache the results. Equal content is parsed once."""
        twins: dict[str, list[Raw]] = {}
        for raw in dict.fromkeys(raws):
            twins.setdefault(self.extraction_id(raw), []).append(raw)
        if not twins:
            return
        for raw, outcome in self._parsed((raw, None) for raw, *_ in twins.values()):
            others = twins[self.extraction_id(raw)]
            yield raw, outcome
            if _is_unread(outcome):  # the failure may not apply to the others
                yield from self._parsed((twin, None) for twin in others[1:])
            else:
                yield from ((twin, outcome) for twin in others[1:])

    def of_bytes(self, raw: Raw, data: bytes) -> Outcome:
        """Return the outcome for bytes that are not yet a file of the corpus."""
        outcome = self.get(raw, data)
        if outcome is None:
            ((_, outcome),) = self._parsed([(raw, data)])
        return outcome

    def parse(self, documents: Mapping[Raw, bytes]) -> None:
        """Parse in parallel the documents that need a worker, and keep the results."""
        guarded = {self.extraction_id(raw): raw for raw in documents if self.is_guarded(raw.path, raw.media_type)}
        uncached = [(raw, documents[raw]) for raw in guarded.values() if not self.is_cached(raw)]
        for raw, outcome in self._parsed(uncached):
            self.remember(raw, outcome)

    def _parsed(self, sources: Iterable[tuple[Raw, bytes | None]]) -> Iterator[tuple[Raw, Outcome]]:
        """Yield outcomes of files or bytes, from workers."""
        unparsed: dict[Raw, bytes | None] = {}
        for raw, data in sources:
            if (too_large := self._too_large(raw)) is None:
                unparsed[raw] = data
            else:
                yield raw, too_large
        with Contents(self.corpus, self.call) as contents:
            yield from self._parsed_with(contents, unparsed.items())

    def _parsed_with(
        self, contents: Contents, sources: Iterable[tuple[Raw, bytes | None]]
    ) -> Iterator[tuple[Raw, Outcome]]:
        from biblicus.corpus.extracted.remote_extraction import foreign, pool_of, shared_out

        jobs = {}
        settings = self.corpus.settings
        for raw, data in sorted(sources, key=lambda source: contents.place(source[0].path)):
            if (name := self.choose(raw.path, raw.media_type)) is None:
                continue
            try:
                source = contents.source(raw.path, raw.sha256) if data is None else data
            except UnsafeInput as error:
                yield raw, _unread(error)
                continue
            hint = MediaHint(raw.path, raw.media_type)
            passwords = passwords_for(self.corpus, self.call, raw.path) if name in _LOCKED else ()
            options, limit = self.options.get(name, {}), settings.max_text_bytes
            jobs[workers.pool.Job(source, hint, name, options, raw.sha256, self._ocr(name), passwords, limit)] = raw
        plain = [job for job in jobs if job.ocr is None]
        scans = [job for job in jobs if job.ocr is not None]
        if scans:
            from biblicus.corpus.extracted.scans import told_of  # lazy: few recipes enable it

            plainly = {key: self.options[key] for key in self.options if key != _OCR}
            told_of(Extractions(self.corpus, self.call, plainly), [jobs[job] for job in scans], self._stage)
        if count := sum(self._is_heard(job.extractor) and not raw.transcript.path for job, raw in jobs.items()):
            where = f", sent to {self._transcriber.place}" if self._transcriber.place else ""
            self.call.tell(f"Transcribing {count} recording{'s' if count > 1 else ''}{where}.")
        walls, memory_limit = settings.sandbox == "on", settings.extraction_memory
        default_limits = guards.process.Limits(
            memory_limit, settings.extraction_seconds, preload=foreign(jobs), walls=walls
        )
        plain, remote = shared_out(plain, self.executor, default_limits)
        for step, batch in (("extract", remote), ("extract", plain), ("ocr", scans)):
            if not batch:
                continue
            limits = default_limits
            if step == "ocr":
                program = self._stage.engine.program
                limits = replace(
                    default_limits, seconds=settings.ocr_seconds, memory=settings.ocr_memory, program=program
                )
            with pool_of(limits, settings.workers, self.executor if batch is remote else None) as pool:
                for done, (job, outcome) in enumerate(pool.extract(batch), 1):
                    self.call.check()
                    self.call.progress(step, done, len(batch))
                    raw = jobs[job]
                    if self._is_heard(job.extractor) and not raw.transcript.path:
                        outcome = self._heard(job, outcome)
                    self._keep(raw, outcome)
                    yield raw, self._transcribed(raw, outcome)

    def _is_heard(self, name: str) -> bool:
        chosen = self.options.get(_STT, {}).get("transcriber", OFF)
        return name == _RECORDING and chosen != OFF

    @cached_property
    def _transcriber(self) -> Transcriber:
        return transcriber_of(self.corpus.settings, self.options[_STT]["transcriber"])

    def _heard(self, job: Job, outcome: Outcome) -> Outcome:
        limit = self.corpus.settings.max_text_bytes
        try:
            return transcribed(job, outcome, self._transcriber, limit, self.call)
        except (OSError, UnsafeInput) as error:
            return _unread(error)

    def _keep(self, raw: Raw, outcome: Outcome) -> None:
        """Cache a worker's result: a text by its content, a failure also by the limits."""
        key = self.extraction_id(raw)
        if isinstance(outcome, Extraction) or not outcome.is_failure:
            cache.store(self.corpus, key, outcome)
        elif not _is_unread(outcome):
            self._failed[key] = outcome
            once = self._under_limits(key, "once")
            is_first = outcome.reason.startswith(_BY_MACHINE) and cache.load(self.corpus, once) is None
            cache.store(self.corpus, once if is_first else self._under_limits(key), outcome)

    def may_pass(self, raw: Raw, outcome: Outcome | Elsewhere) -> bool:
        """Return true if a later command may succeed in reading the unchanged file."""
        if not isinstance(outcome, NoExtraction):
            return False
        if outcome.reason.startswith(_BY_MACHINE):
            return cache.load(self.corpus, self._under_limits(self.extraction_id(raw))) is None
        return _is_unread(outcome)

    def _remembered(self, raw: Raw) -> Outcome | None:
        """Return a worker's earlier result. A failure applies within this pass, and later under the same limits."""
        key = self.extraction_id(raw)
        if key in self._failed:
            return self._failed[key]
        outcome = cache.load(self.corpus, key)
        if outcome is None and not self.retry_failed:
            outcome = cache.load(self.corpus, self._under_limits(key))
        return outcome

    def _under_limits(self, extraction_id: str, *times: str) -> str:
        return digest([extraction_id, self.limits, *times], 16)


def of_default_recipe(corpus: CorpusFolder, call: Call) -> Extractions:
    """As the default recipe extracts, for commands that read items, or only look at what can be read."""
    return Extractions(corpus, call, recipes.reading_options(corpus))
