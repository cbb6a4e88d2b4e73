"""Judge model for a corpus, with its scores cached on this machine."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from biblicus import embedding, runs
from biblicus.contracts import Call, Judged, NotReranked, Passage
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, DeadlineExceeded
from biblicus.guards.deadlines import bounded
from biblicus.lazy import np
from biblicus.models.digest import canonical, digest
from biblicus.retrieval.judge import wants_cosines

if TYPE_CHECKING:
    from biblicus.embedding.judge import Judge
    from biblicus.embedding.likeness import Likeness

_KEPT = "judged"
_VECTORS = "candidates"
_SHAPE = {"key": str, "logits": {str: float}, "cosines?": {str: float}}
_VECTOR = {"key": str, "vector": str}
_EMBEDDER = "minilm-int8"
"""The model of the recipe `meaning`."""
_AT_LEAST = 0.5
"""Minimum share of candidates in a language that the model knows."""


class CorpusJudge:
    """Scores passages for a corpus's questions."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus

    def scores(self, question: str, passages: Sequence[Passage], call: Call) -> Judged:
        """Score each passage with the model that knows its language.

        Raises `NotReranked` if unavailable or too slow.
        """
        scorer = _scorer(passages)
        texts = [
            f"{passage.breadcrumb}. {passage.body}" if passage.breadcrumb else passage.body for passage in passages
        ]
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for text in texts]
        of_keys = dict(zip(keys, texts, strict=True))
        entry = digest({"judge": scorer.FINGERPRINT, "question": question})
        known_logits, cosines = self._kept(entry)
        missing = [key for key in of_keys if key not in known_logits]
        cosine_keys = [key for key in of_keys if key not in cosines]
        is_near = not scorer.BY_COSINE and wants_cosines(passages)
        if missing or (is_near and cosine_keys):
            seconds = self._corpus.settings.judge_seconds
            is_patient = call.patient or not seconds
            limited = call if is_patient else bounded(call, seconds)
            with self._slot(scorer, is_patient) as model:
                logits = model.logits(question, [of_keys[key] for key in missing], limited)
                new_logits = {key: logit for key, logit in zip(missing, logits, strict=True) if logit is not None}
                known_logits.update(new_logits)
                if is_near and cosine_keys and len(new_logits) == len(missing):
                    cosines.update(self._cosines(question, {key: of_keys[key] for key in cosine_keys}, limited))
            self._keep(entry, known_logits, cosines)
            call.check()
            if len(new_logits) < len(missing):
                raise NotReranked(f"The judge did not judge in {seconds:g} s.", None, "late")
        near = [cosines[key] for key in keys if key in cosines] if is_near else []
        return Judged([known_logits[key] for key in keys], scorer.BY_COSINE, near if len(near) == len(keys) else None)

    def _kept(self, key: str) -> tuple[dict[str, float], dict[str, float]]:
        """Return the cached logits and cosines of a question's passages."""
        entry = self._corpus.kept.get(_KEPT, key, _SHAPE)
        if entry is None or entry["key"] != key:
            return {}, {}
        return dict(entry["logits"]), dict(entry.get("cosines", {}))

    def _keep(self, key: str, logits: dict[str, float], cosines: dict[str, float]) -> None:
        body = {"version": 1, "key": key, "logits": dict(sorted(logits.items()))}
        self._corpus.kept.put(_KEPT, key, canonical({**body, "cosines": dict(sorted(cosines.items()))}))

    def _cosines(self, question: str, texts: Mapping[str, str], call: Call) -> dict[str, float]:
        """Return the cosine of each text with the question by key, as far as time allows; text vectors are cached."""

        embedder = runs.embedders.find(self._corpus, _EMBEDDER)
        cosines = {}
        try:
            question_vector = embedder.question(question, call)
            for key, text in texts.items():
                call.check()
                entry = digest({"model": embedder.fingerprint, "text": key})
                cached = self._corpus.kept.get(_VECTORS, entry, _VECTOR)
                if cached is not None and cached["key"] == entry:
                    vector = np.frombuffer(b64decode(cached["vector"]), np.float32)
                else:
                    vector = embedder.embed([text], call)[0]
                    packed = b64encode(vector.astype(np.float32).tobytes()).decode()
                    self._corpus.kept.put(_VECTORS, entry, canonical({"version": 1, "key": entry, "vector": packed}))
                cosines[key] = round(float(vector @ question_vector), 6)
        except DeadlineExceeded:
            pass
        return cosines

    @contextmanager
    def _slot(self, scorer: ModuleType, is_patient: bool) -> Iterator[Judge | Likeness]:
        """Yield the loaded model and reserve one of its slots for this question."""

        try:
            model: Judge | Likeness = scorer.find(runs.embedders.remembered_digest)
        except BiblicusError as error:
            raise NotReranked(error.message, error) from error
        if not model.slots.acquire(blocking=is_patient):
            raise NotReranked("The judge is busy with other questions.", None, "busy")
        try:
            yield model
        finally:
            model.slots.release()


def pieces_of(word: str) -> int:
    """Return the number of subwords of a word in the judge's vocabulary."""

    return embedding.judge.vocabulary(runs.embedders.remembered_digest)(word)


def _scorer(passages: Sequence[Passage]) -> ModuleType:
    """Return the module of the model that knows most passages' language: the judge, else the multilingual embedder.
    Raises `NotReranked` if no installed model does."""

    for module in (embedding.judge, embedding.likeness):
        count = sum(passage.language in ("", *module.LANGUAGES) for passage in passages)
        if count >= _AT_LEAST * len(passages) and (module is embedding.judge or embedding.likeness.is_installed()):
            return module
    raise NotReranked("", None)
