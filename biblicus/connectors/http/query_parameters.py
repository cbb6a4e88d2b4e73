"""Query parameters, read in one step.

The framework looks at every annotation of every field again for each request, which costs half of what a search does.
Where a route takes query parameters and nothing else they are therefore read here; everything else, the OpenAPI
document too, stays the framework's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from fastapi.exceptions import RequestValidationError
from fastapi.params import Query
from pydantic import ValidationError
from starlette.datastructures import QueryParams

from biblicus.models import requests

Parameters = TypeVar("Parameters", bound=requests.Request)


def taken_alone(endpoint: Callable[..., Any]) -> type[requests.Request] | None:
    """The model of a route that takes query parameters and nothing else.

    None for another route.
    """
    taken = list(get_type_hints(endpoint, include_extras=True).items())
    if [name for name, _ in taken] != ["request", "asked", "return"] or get_origin(taken[1][1]) is not Annotated:
        return None
    model, where, *_ = get_args(taken[1][1])
    return model if isinstance(where, Query) else None


def read(model: type[Parameters], given: QueryParams) -> Parameters:
    """The parameters, as the framework reads them: one that is no list counts as it was said last. Raises its error."""
    fields = model.model_fields
    values = {
        key: given.getlist(key) if key in fields and isinstance(fields[key].default, tuple) else given[key]
        for key in given
    }
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise RequestValidationError([{**said, "loc": ("query", *said["loc"])} for said in error.errors()]) from error
