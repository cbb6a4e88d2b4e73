"""Gets the extraction of an item: from memory, from the cache, in-process for text, in guarded workers for the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from biblicus import plugins
from biblicus.contracts import Call, Extractor, MediaHint
from biblicus.corpus import extraction_cache as cache
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import ExtractionFailed, UnknownName, UnsafeInput
from biblicus.extraction import media
from biblicus.models.digest import digest
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.recipe import Choice

Outcome = Extraction | NoExtraction
_MEMORY = 48 << 20
_PASSING = ("it took longer", "it used more", "it needed more", "changed", "could not be read")
"""Failures that may not come again, on a quieter machine or with other limits: they are not cached."""


class Raw(NamedTuple):
    """What is needed to extract one file: stored path, digest of its bytes, media type and size."""

    path: str
    sha256: str
    media_type: str
    bytes: int


def raw_of(item: Item) -> Raw:
    return Raw(item.path, item.sha256, item.media_type, item.bytes)


def _unread(error: OSError | UnsafeInput) -> NoExtraction:
    return NoExtraction("failed", files.describe(error) if isinstance(error, OSError) else error.message)


@dataclass
class Extractions:
    """The extractions of one writer's pass, with a bounded memory of what was decoded and not yet used."""

    place: CorpusFolder
    call: Call
    options: dict[str, Choice] = field(default_factory=dict)
    _plugins: dict[str, Extractor] = field(default_factory=dict)
    _bases: dict[str, str] = field(default_factory=dict)
    _claims: dict[str, str] = field(default_factory=dict)
    _memory: dict[tuple[str, str], Extraction] = field(default_factory=dict)
    _held: int = 0

    def _extractor(self, name: str) -> Extractor:
        if name not in self._plugins:
            module = plugins.find("extraction", name)
            extractor: Extractor = module.build(module.Options(**self.options.get(name, {})))
            self._plugins[name] = extractor
        return self._plugins[name]

    def choose(self, media_type: str) -> str | None:
        """The extractor for a type: a plug-in that the recipe names and that reads it, else the default one."""
        if self.options and not self._claims:
            for name in self.options:
                self._claims |= dict.fromkeys(getattr(plugins.find("extraction", name), "MEDIA_TYPES", ()), name)
        return self._claims.get(media_type) or media.choose(media_type)

    def extraction_id(self, raw: Raw) -> str:
        """Content-addressed: raw digest, extractor with its versions, options. Empty where no extractor fits."""
        name = self.choose(raw.media_type)
        if name is None:
            return ""
        if name not in self._bases:
            self._bases[name] = digest([name, self._extractor(name).fingerprint, self.options.get(name, {})])
        return hashlib.sha256(f"{raw.sha256}:{self._bases[name]}".encode()).hexdigest()[:16]

    def fingerprints(self, names: Iterable[str]) -> dict[str, str]:
        """Component name to version, for manifests. Those that are not installed here are left out."""
        found: dict[str, str] = {}
        for name in sorted(names):
            with suppress(UnknownName):  # a committed manifest may name any
                found[f"extraction.{name}"] = self._extractor(name).fingerprint
        return found

    def get(self, raw: Raw, data: bytes | None = None) -> Outcome | None:
        """The outcome, if it needs no guarded worker; None where it does and the cache does not hold it.

        `data`: the raw bytes, if the caller has read them.
        """
        name = self.choose(raw.media_type)
        if name is None:
            return NoExtraction("unsupported", f"no extractor for {raw.media_type}")
        if raw.bytes > self.place.settings.max_text_bytes:
            return NoExtraction("too large", f"larger than {self.place.settings.max_text_bytes} bytes (max_text_bytes)")
        if (held := self._memory.pop((raw.sha256, name), None)) is not None:
            self._held -= len(held.text)
            return held
        extractor = self._extractor(name)
        if extractor.guarded:
            return cache.load(self.place, self.extraction_id(raw))
        if data is None:
            try:
                data = files.read(self.place.inside(raw.path), limit=self.place.settings.max_text_bytes)
            except (OSError, UnsafeInput) as error:
                return _unread(error)
            if hashlib.sha256(data).hexdigest() != raw.sha256:
                return NoExtraction("failed", "changed while it was read; run the command again")
        try:
            return extractor.extract(data, MediaHint(raw.path, raw.media_type))
        except ExtractionFailed as error:
            return NoExtraction("failed", error.reason)

    def is_guarded(self, media_type: str) -> bool:
        """Whether files of this type are parsed in worker processes."""
        name = self.choose(media_type)
        return name is not None and self._extractor(name).guarded

    def is_cached(self, raw: Raw) -> bool:
        held = (raw.sha256, self.choose(raw.media_type)) in self._memory
        return held or cache.load(self.place, self.extraction_id(raw)) is not None

    def remember(self, raw: Raw, outcome: Outcome) -> None:
        """Keep a decoded text for the build that follows, within a bound."""
        name = self.choose(raw.media_type)
        if name and isinstance(outcome, Extraction) and self._held + len(outcome.text) <= _MEMORY:
            self._memory[raw.sha256, name] = outcome
            self._held += len(outcome.text)

    def guarded(self, raws: Iterable[Raw]) -> Iterator[tuple[Raw, Outcome]]:
        """Extract in worker processes, in parallel, and cache what came of it."""
        from biblicus.extraction.pool import ExtractionPool, Job
        from biblicus.guards.process import Limits

        settings = self.place.settings
        wanted = {raw: self.choose(raw.media_type) for raw in raws}
        if not wanted:
            return
        jobs = {}
        for raw, name in wanted.items():
            if name is None:
                continue
            try:
                source = self.place.inside(raw.path)
            except UnsafeInput as error:
                yield raw, _unread(error)
                continue
            hint = MediaHint(raw.path, raw.media_type)
            jobs[Job(source, hint, name, self.options.get(name, {}), raw.sha256)] = raw
        limits = Limits(seconds=settings.extraction_seconds, memory=settings.extraction_memory)
        with ExtractionPool(settings.workers or None, limits) as pool:
            for done, (job, outcome) in enumerate(pool.extract(list(jobs)), 1):
                self.call.check()
                self.call.progress("extract", done, len(jobs))
                raw = jobs[job]
                if not (isinstance(outcome, NoExtraction) and outcome.reason.startswith(_PASSING)):
                    cache.store(self.place, self.extraction_id(raw), outcome)
                yield raw, outcome
