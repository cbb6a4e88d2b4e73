"""Results made from evidence: answers, packs, personas; and their evaluation."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.models.answers import evaluation, persona
else:
    __getattr__ = modules_of(__name__)
