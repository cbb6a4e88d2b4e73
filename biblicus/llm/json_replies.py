"""Validation of JSON replies against a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from biblicus.errors import BadData, ExtraMissing
from biblicus.guards import json as guarded_json

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"\A\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)


def checked(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the JSON of a reply, and its problem, or an empty text.

    A `<think>` part before it and a code fence around it are removed: models add them if the server does not enforce a
    schema."""
    bare = _THOUGHT.sub("", text)
    fenced = _FENCED.match(bare)
    try:
        value = guarded_json.read(fenced[1] if fenced else bare.strip(), max_bytes=1 << 24)
    except BadData as error:
        return None, f"it is no JSON ({error.message.rstrip('.').lower()})"
    return value, _misfit(value, schema)


def _misfit(value: Any, schema: Mapping[str, Any]) -> str:
    """Describe a value that does not match, without its content, which may be anything."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
    except ImportError as error:
        raise ExtraMissing("A language model", "llm") from error
    try:
        misfit = best_match(Draft202012Validator(schema).iter_errors(value))
    except RecursionError:
        return "it is nested too deep"
    if misfit is None:
        return ""
    wanted = json.dumps(misfit.validator_value, ensure_ascii=False)[:200]
    return f"{misfit.json_path} does not fit {misfit.validator} {wanted}"


def was_cut(raw: Mapping[str, Any]) -> bool:
    """Check if a reply was truncated at its maximum length."""
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    return "length" in (raw.get("done_reason"), raw.get("finish_reason"), first.get("finish_reason"))
