"""Checks a model's claims against the evidence; only claims with valid citations are kept.

A citation is the number of a supplied piece and words that occur in it; the stored text is the evidence's own. Invalid
claims are reported, so that the model can be asked again or they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from biblicus.answering import quotations
from biblicus.answering.asking import object_schema
from biblicus.answering.reader.terms import stemmer_for
from biblicus.models.answers.answer import Citation, Statement
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Span
from biblicus.text.sentences import sentences
from biblicus.text.terms import analysis

SCHEMA: Mapping[str, Any] = object_schema(
    statements=[object_schema(text="string", citations=[object_schema(evidence="integer", quote="string")])],
    insufficient="boolean",
)
"""JSON schema of a model's reply. Numbers are unbounded, so that a wrong one only invalidates its statement."""

MOST_CITATIONS = 8
_LONGEST = 2000
_MARKS = re.compile(r"\s*\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]")
_RANGE = re.compile(r"(\d{1,9})(?:\s*[–-]\s*(\d{1,9}))?")
_NUMBERS_COUNT = 3.0
"""Weight of a number relative to a word, as a wrong year makes a claim wrong."""
_UNQUOTED = 0.5
"""Minimum support of a claim without a quotation, for which a number alone is weak evidence."""
_QUOTED = 0.25
"""Minimum support of a claim with a quotation. Chosen on conclusions of abstracts paired with another sentence
(`research/reader.md`)."""
_MAY_BE = 0.5
"""Support of a claim without words that can be compared."""


@dataclass(frozen=True)
class Claim:
    """A model's statement. `cites`: evidence numbers and quoted words as given."""

    text: str
    cites: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Fault:
    """A claim that is not supported, with the reason for the model and the user."""

    claim: Claim
    reason: str


def claims_of(statements: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """Return the claims of a reply that fits `SCHEMA`: texts on one line, without bracketed numbers or duplicates."""
    claims: dict[str, Claim] = {}
    for statement in statements:
        text = " ".join(_MARKS.sub("", statement["text"]).split())[:_LONGEST]
        cites = tuple((int(citation["evidence"]), str(citation["quote"])) for citation in statement["citations"])
        if text:
            claims.setdefault(text.casefold(), Claim(text, cites))
    return list(claims.values())


def marked(text: str, last: int) -> list[int]:
    """Return the distinct bracketed numbers of a text: `[2]`, `[1, 3]`, `[2–4]`. `last`: the highest valid number."""
    numbers: dict[int, None] = {}
    for mark in _MARKS.findall(text):
        for low, high in _RANGE.findall(mark):
            numbers |= dict.fromkeys(range(max(1, int(low)), min(int(high or low), last) + 1))
    return list(numbers)


def ground(claim: Claim, pieces: Mapping[int, Evidence]) -> Statement | Fault:
    """Return the claim as a statement with exact citations, or the fault."""
    if not claim.cites:
        return Fault(claim, "it cites nothing")
    citations: dict[tuple[int, int, int], Citation] = {}
    for number, quote in claim.cites[:MOST_CITATIONS]:
        piece = pieces.get(number)
        if piece is None:
            return Fault(claim, f"it cites piece {number}, and there is none")
        spans = quotations.find(piece.text, quote) if quote.strip() else _saying(claim.text, piece)
        if not spans:
            return Fault(claim, f"the words it quotes do not stand in piece {number}")
        for span in spans:
            citations.setdefault((number, span.start, span.end), Citation(piece, span.start, span.end))
    cited = tuple(citations.values())
    supported = support(claim.text, cited)
    if supported < _UNQUOTED and not any(quote.strip() for _, quote in claim.cites):
        return Fault(claim, "it quotes nothing, and few of its words stand in what it cites")
    if supported < _QUOTED:
        return Fault(claim, "hardly any of its words stand in what it quotes")
    return Statement(claim.text, cited, quoted=_is_quoted(claim.text, cited), supported=supported)


def support(text: str, citations: Sequence[Citation]) -> float:
    """Return the share of a text's content words that its citations contain (0-1); numbers have more weight. Stems are
    compared, in the language of the evidence, with the sentences around the cited words."""
    pieces = [citation.piece for citation in citations]
    stemmer = stemmer_for(pieces[0].language, [piece.language for piece in pieces[1:]]) if pieces else "english"
    claimed = _terms(text, stemmer)
    if not claimed:
        return _MAY_BE
    cited_terms = {term for citation in citations for term in _terms(_around(citation), stemmer, content=False)}
    weights = {term: _NUMBERS_COUNT if any(map(str.isdecimal, term)) else 1.0 for term in claimed}
    return round(sum(weight for term, weight in weights.items() if term in cited_terms) / sum(weights.values()), 4)


def _saying(text: str, piece: Evidence) -> list[Span]:
    """Return the sentence of a piece that shares most words with a text, or the entire piece if none does."""
    stemmer = stemmer_for(piece.language, ())
    claimed = set(_terms(text, stemmer))
    shares = [(len(claimed & set(_terms(piece.text[a:b], stemmer))), -a, Span(a, b)) for a, b in sentences(piece.text)]
    shared, _, span = max(shares, default=(0, 0, Span(0, 0)))
    return [span] if shared else [Span(0, len(piece.text))]


def _around(citation: Citation) -> str:
    """Return the sentences that contain the cited words."""
    text = citation.piece.text
    spans = [span for span in sentences(text) if span.start < citation.end and span.end > citation.start]
    return text[spans[0].start : spans[-1].end] if spans else citation.text


def _terms(text: str, stemmer: str, *, content: bool = True) -> list[str]:
    """Return the terms of a text, with `content` only those that are no stop words."""
    ranked = analysis.ranked("", analysis.normalised(text))
    terms = analysis.analyzer(stemmer).analyze(ranked)
    if not content:
        return list(terms)
    plain = analysis.plain_analyzer().analyze(ranked)
    content_words = set(analysis.plain_analyzer(stemmer).analyze(ranked))
    return [term for term, word in zip(terms, plain, strict=True) if word in content_words]


def _is_quoted(text: str, citations: Sequence[Citation]) -> bool:
    """Return True if a statement is exactly its quotation."""
    return len(citations) == 1 and text == " ".join(citations[0].text.split())


STANDING_IN = 3
"""The best chunks, which are cited if the answer cites none."""
_SUPPORTED = 0.5
"""Share of a sentence's words that must be in the cited chunks."""


class Checked(NamedTuple):
    """An answer, empty if a sentence of it is not supported. `confidence`: its mean support (0-1)."""

    answer: str
    citations: Sequence[Evidence]
    confidence: float


def context_lines(evidence: Sequence[Evidence]) -> str:
    """Return the evidence as lines `[chunk_id=… score=0.82] text`, scores as shares of the best where that is above
    1."""
    return "\n".join(
        f"[chunk_id={piece.chunk_id} score={share_of_best(piece, evidence):.2f}] {' '.join(piece.text.split())}"
        for piece in evidence
    )


def share_of_best(piece: Evidence, evidence: Sequence[Evidence]) -> float:
    """Return a score between 0 and 1: as it is, or as a share of the best where that is above 1."""
    best = max((candidate.score for candidate in evidence), default=0.0)
    return round(min(1.0, max(0.0, piece.score / max(1.0, best))), 6)


def checked(answer: str, cited: Collection[str], evidence: Sequence[Evidence]) -> Checked:
    """Return an answer with the chunks that it cites, or the best ones if it cites none of the evidence. Each sentence
    must be supported by them, else nothing is left."""
    chunks = [piece for piece in evidence if piece.chunk_id in cited] or list(evidence[:STANDING_IN])
    citations = [Citation(piece, 0, len(piece.text)) for piece in chunks]
    texts = [answer[start:end] for start, end in sentences(answer)]
    supports = [support(text, citations) for text in texts] if citations else []
    if not supports or min(supports) < _SUPPORTED:
        return Checked("", (), 0.0)
    return Checked(answer.strip(), chunks, round(sum(supports) / len(supports), 4))
