"""Answers to questions that ask two things: the answer to each, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from biblicus.models.answers.answer import Drafted
from biblicus.text.terms import compound

_BESIDE = 0.5
"""The confidence at least of an answer to the second question."""
_FEWEST = 5
"""Words of an answer."""


def answered(question: str, most: int | None, answer: Callable[[str, int | None], Drafted]) -> Drafted:
    """What `answer` says to a question, or to each of the two that it asks, in so many words; `most`: of all, where
    somebody says how many. The answer is as sure as the less sure one of its parts."""
    two = compound.two_of(question)
    if two is None:
        return answer(question, most)
    first = answer(two.first, most)
    left = most - sum(len(statement.text.split()) for statement in first.statements) if most else None
    if left is not None and left < _FEWEST:
        return first
    then = answer(two.then, left)
    if not first.statements:
        return then
    quoted = [statement.text for statement in first.statements]
    beside = tuple(
        other
        for other in then.statements
        if not any(other.text in text or (text in other.text and not other.text.startswith(text)) for text in quoted)
    )
    if not beside or then.confidence < _BESIDE:
        return first
    longer = [next((other for other in beside if other.text.startswith(one.text)), one) for one in first.statements]
    return replace(
        first,
        statements=(*longer, *(other for other in beside if other not in longer)),
        confidence=min(first.confidence, then.confidence),
        reasoning_summary=f"{first.reasoning_summary} {then.reasoning_summary}",
    )
