"""Measures the quality of recipes and answers: datasets, evaluation, tuning, golden questions, reports."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.measure import golden, space, stored
else:
    __getattr__ = modules_of(__name__)
