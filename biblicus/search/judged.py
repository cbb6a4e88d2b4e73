"""The judge at work for one corpus, whose cache on this machine keeps its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from biblicus.contracts import Call, NotReranked, Passage
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.guards.deadlines import bounded
from biblicus.models.digest import canonical, digest

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
            model: Judge = judge.find(remembered_digest)
        except BiblicusError as error:
            raise NotReranked(error.message, error) from error
        if not model.slots.acquire(blocking=is_patient):
            raise NotReranked("The judge is busy with other questions.", None, "busy")
        try:
            yield model
        finally:
            model.slots.release()
