"""The judge at work for one corpus: its scores are kept here, and the best candidates come in a new order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, overload

from biblicus.contracts import Call, NotReranked, Passage
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.guards.deadlines import bounded
from biblicus.models.digest import canonical, digest
from biblicus.retrieval.budget import Candidate

if TYPE_CHECKING:
    from biblicus.embedding.judge import Judge

_KEPT = "judged"
_SHAPE = {"key": str, "logits": {str: float}}
_AT_LEAST = 0.5
"""The share of candidates in a language that the judge knows, from which on it is asked."""


class CorpusJudge:
    """Scores passages for the questions of one corpus."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus

    def scores(self, question: str, passages: Sequence[Passage], call: Call) -> list[float]:
        """The judge's score of each passage. Raises `NotReranked` where it has no time, does not know the language, or
        is not installed."""
        from biblicus.embedding import judge  # lazy: most of it is onnxruntime

        known = sum(passage.language in ("", *judge.LANGUAGES) for passage in passages)
        if known < _AT_LEAST * len(passages):
            raise NotReranked("", None)
        texts = [f"{one.breadcrumb}. {one.body}" if one.breadcrumb else one.body for one in passages]
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for text in texts]
        entry = digest({"judge": judge.FINGERPRINT, "question": question})
        kept = self._kept(entry)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
        if missing:
            seconds = self._corpus.settings.judge_seconds
            is_patient = call.patient or not seconds
            with self._slot(is_patient) as model:
                logits = model.logits(question, list(missing.values()), call if is_patient else bounded(call, seconds))
            found = {key: logit for key, logit in zip(missing, logits, strict=True) if logit is not None}
            kept = {**kept, **found}
            if found:
                body = canonical({"version": 1, "key": entry, "logits": {key: kept[key] for key in sorted(kept)}})
                self._corpus.kept.put(_KEPT, entry, body)
            if len(found) < len(missing):
                call.check()
                raise NotReranked(f"The judge did not judge in {seconds:g} s.", None, "late")
        return [kept[key] for key in keys]

    def _kept(self, key: str) -> dict[str, float]:
        entry = self._corpus.kept.get(_KEPT, key, _SHAPE)
        return dict(entry["logits"]) if entry is not None and entry["key"] == key else {}

    @contextmanager
    def _slot(self, is_patient: bool) -> Iterator[Judge]:
        """The opened model, while this question has one of its slots."""
        from biblicus.embedding import judge
        from biblicus.runs.embedders import remembered_digest

        try:
            model: Judge = judge.opened(**judge.located(remembered_digest))
        except BiblicusError as error:
            raise NotReranked(error.message, error) from error
        if not model.slots.acquire(blocking=is_patient):
            raise NotReranked("The judge is busy with other questions.", None, "busy")
        try:
            yield model
        finally:
            model.slots.release()


class Led(Sequence[Candidate]):
    """Candidates that were judged, then all others in the order before, which are read as far as they are looked at."""

    def __init__(self, first: Sequence[Candidate], all_candidates: Sequence[Candidate]) -> None:
        judged = {candidate.chunk_id for candidate in first}
        self._made = list(first)
        self._others = (candidate for candidate in all_candidates if candidate.chunk_id not in judged)
        self._count = len(all_candidates)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...

    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        places = range(self._count)[at]
        for _ in range(len(self._made), (max(places, default=-1) if isinstance(places, range) else places) + 1):
            self._made.append(next(self._others))
        return [self._made[place] for place in places] if isinstance(places, range) else self._made[places]
