"""Context packs and answers made from evidence; nothing here searches."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.answering import asking, model_planner
else:
    __getattr__ = modules_of(__name__)
