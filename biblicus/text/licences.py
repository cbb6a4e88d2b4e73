"""Identifies licence texts by characteristic sentences, as SPDX identifiers."""

from __future__ import annotations

import re

NAMED = re.compile(r"(?:LICEN[CS]E|COPYING|UNLICENSE)(?:[.-][A-Za-z0-9._-]{1,20})?", re.IGNORECASE)
"""Names of licence files at the top of a tree."""

_STATED = re.compile(r"SPDX-License-Identifier:\s*([A-Za-z0-9.+-]{2,40})")
_KNOWN = (
    ("AGPL-3.0", "gnu affero general public license version 3"),
    ("LGPL-3.0", "gnu lesser general public license version 3"),
    ("LGPL-2.1", "gnu lesser general public license version 2.1"),
    ("GPL-3.0", "gnu general public license version 3"),
    ("GPL-2.0", "gnu general public license version 2"),
    ("MPL-2.0", "mozilla public license version 2.0"),
    ("EPL-2.0", "eclipse public license - v 2.0"),
    ("Apache-2.0", "apache license version 2.0"),
    ("BSL-1.0", "boost software license - version 1.0"),
    ("CC0-1.0", "cc0 1.0 universal"),
    ("CC-BY-SA-4.0", "attribution-sharealike 4.0 international"),
    ("CC-BY-4.0", "attribution 4.0 international"),
    ("Unlicense", "this is free and unencumbered software released into the public domain"),
    ("ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"),
    ("MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software"),
)
_BSD = "redistribution and use in source and binary forms, with or without modification"
_THIRD = re.compile(r"neither the name of|may not be used to endorse or promote")
_HEAD = 40_000


def identify(text: str) -> str | None:
    """Return the SPDX identifier of a licence text, or None if unclear."""
    if stated := _STATED.search(text[:_HEAD]):
        return stated[1]
    flat = " ".join(re.sub(r"[^\w.,/-]+", " ", text[:_HEAD].lower()).split()).replace(", ", " ")
    for name, sentence in _KNOWN:
        if sentence.replace(", ", " ") in flat:
            return name
    if _BSD.replace(", ", " ") in flat:
        return "BSD-3-Clause" if _THIRD.search(flat) else "BSD-2-Clause"
    return None
