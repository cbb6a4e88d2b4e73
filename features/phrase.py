"""Step texts with holes: `"{path}"` takes what stands between quotes, `{text!}` anything, `{n#}` a number.

What stands in brackets may be missing: `is asked[ with]`.
"""

import re

from pytest_bdd import parsers

_HOLE = re.compile(r"\{(\w+)([!#]?)\}")
_FITS = {"": '[^"]*', "!": "(?s:.*)", "#": r"\d+"}


def phrase(text: str) -> parsers.re:
    """A parser for the text; it must fit a step as a whole."""
    parts, last = [], 0
    for hole in _HOLE.finditer(text):
        parts += [re.escape(text[last : hole.start()]), f"(?P<{hole[1]}>{_FITS[hole[2]]})"]
        last = hole.end()
    whole = "".join([*parts, re.escape(text[last:])])
    return parsers.re(re.sub(r"\\\[(.*?)\\\]", r"(?:\1)?", whole))


def raw(cell: str) -> bytes:
    r"""A cell's text as bytes, with `\n`, `\r`, `\t`, `\xNN` and `\uNNNN` for what cannot be written in a table."""
    text = cell.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
    text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
    parts = re.split(r"\\x([0-9a-f]{2})", text)
    return b"".join(bytes.fromhex(part) if at % 2 else part.encode() for at, part in enumerate(parts))
