"""Executors that distribute builds over machines. They get plain data: no corpus, no call, no secret."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.executors import ray_executor
else:
    __getattr__ = modules_of(__name__)
