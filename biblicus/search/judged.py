"""The judge at work for one corpus, whose cache on this machine keeps its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from biblicus.contracts import Call, Judged, NotReranked, Passage
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.guards.deadlines import bounded
from biblicus.models.digest import canonical, digest

if TYPE_CHECKING:
    from biblicus.embedding.judge import Judge
    from biblicus.embedding.likeness import Likeness

_KEPT = "judged"
_SHAPE = {"key": str, "logits": {str: float}}
_AT_LEAST = 0.5
"""Share of candidates in a language that a model knows, from which on it judges."""


class CorpusJudge:
    """Scores passages for the questions of one corpus."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus

    def scores(self, question: str, passages: Sequence[Passage], call: Call) -> Judged:
        """Score of each passage by the model that knows its language. Raises `NotReranked` where that has no time or is
        not installed."""
        scorer = _scorer(passages)
        texts = [f"{one.breadcrumb}. {one.body}" if one.breadcrumb else one.body for one in passages]
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for text in texts]
        entry = digest({"judge": scorer.FINGERPRINT, "question": question})
        kept = self._kept(entry)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
        if missing:
            seconds = self._corpus.settings.judge_seconds
            is_patient = call.patient or not seconds
            with self._slot(scorer, is_patient) as model:
                logits = model.logits(question, list(missing.values()), call if is_patient else bounded(call, seconds))
            found = {key: logit for key, logit in zip(missing, logits, strict=True) if logit is not None}
            kept = {**kept, **found}
            if found:
                body = canonical({"version": 1, "key": entry, "logits": {key: kept[key] for key in sorted(kept)}})
                self._corpus.kept.put(_KEPT, entry, body)
            if len(found) < len(missing):
                call.check()
                raise NotReranked(f"The judge did not judge in {seconds:g} s.", None, "late")
        return Judged([kept[key] for key in keys], scorer.BY_COSINE)

    def _kept(self, key: str) -> dict[str, float]:
        entry = self._corpus.kept.get(_KEPT, key, _SHAPE)
        return dict(entry["logits"]) if entry is not None and entry["key"] == key else {}

    @contextmanager
    def _slot(self, scorer: ModuleType, is_patient: bool) -> Iterator[Judge | Likeness]:
        """The opened model, while this question has one of its slots."""
        from biblicus.runs.embedders import remembered_digest

        try:
            model: Judge | Likeness = scorer.find(remembered_digest)
        except BiblicusError as error:
            raise NotReranked(error.message, error) from error
        if not model.slots.acquire(blocking=is_patient):
            raise NotReranked("The judge is busy with other questions.", None, "busy")
        try:
            yield model
        finally:
            model.slots.release()


def _scorer(passages: Sequence[Passage]) -> ModuleType:
    """The module of the model that knows the language of most passages: the judge, else the multilingual embedder.

    Raises `NotReranked` where no installed model knows it.
    """
    from biblicus.embedding import judge, likeness  # lazy: most of both is onnxruntime

    for module in (judge, likeness):
        known = sum(passage.language in ("", *module.LANGUAGES) for passage in passages)
        if known >= _AT_LEAST * len(passages) and (module is judge or likeness.is_installed()):
            return module
    raise NotReranked("", None)
