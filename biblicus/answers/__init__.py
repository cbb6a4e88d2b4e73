"""Answers from evidence: context packs, quoted and written answers, personas."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.answers import answer, answer_as, conversations, turns
else:
    __getattr__ = modules_of(__name__)
