"""Names from source code as words: `getUserName`, `get_user_name`, `std::vector`, `C++`.

Word breaking at `_ . - : >` is the analyzer's; what is left to do here are camel humps, languages whose names are made
of symbols, and telling which words of a question are such names. Everything runs in linear time on any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

_REMEMBERED = 1 << 16
"""Names whose parts are."""
LONGEST = 120
"""In bytes: what is longer is no name but data (base64, minified code) and is left whole."""

# Letters by case, digits and all else, byte by byte, so that humps are found at the speed of `bytes.find`. Bytes of
# non-ASCII letters count as lower case: the name is then cut out whole, and `split` looks at it properly.
_CLASSES = bytes(
    ord("A") if 65 <= byte <= 90 else ord("a") if 97 <= byte <= 122 or byte >= 128 else ord("0") if 48 <= byte <= 57
    else ord(" ")
    for byte in range(256)
)  # fmt: skip
_HUMPS = (b"aA", b"AAaa")
_PART = re.compile(r"[A-Z]+(?![^\W\dA-Z_])\d*|[A-Z]?[^\W\dA-Z_]+\d*|\d+")
_ACRONYM_END = re.compile(r"(?<=[A-Z])(?=[A-Z][a-z]{2})")
_PLURAL = re.compile(r"(?<=[A-Z]{2})s(?![a-z])")
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:(?:::|->|[._\\])[^\W_]++)+")
_HYPHENED = re.compile(r"(?<![\w-])[^\W\d_]{2,}(?:-[^\W\d_]{2,}){2,}(?![\w-])")
_LONG_PART = re.compile(r"[^\W_]{2}")
_MARKS = "¿¡«»‹›“”„‟‘’‚…–—·•「」『』（），。：；？！、"
_SHARP = (("C#", " csharp "), (" c#", " csharp "), ("F#", " fsharp "))
_ASKED_SYMBOL = re.compile(r"(?<![\w.])(c\+\+|[cf]#|\.net\b)", re.IGNORECASE)


def camels(text: str) -> list[str]:
    """The distinct names with camel humps (`getUserName`, `CObject`) in order of first sight; not `URLs`."""
    names = _humped(text)
    return list(_bare([name.decode() for name in names if len(name) <= LONGEST])) if names else []


def parts_of_camels(text: str) -> list[str]:
    """The parts of each of these names (see `spaced`), of those that have any."""
    known = _KNOWN_PARTS
    return [parts for name in _humped(text) if (parts := known[name])]


def _humped(text: str) -> dict[bytes, None]:
    """What stands between characters that are no letters and has humps, in order of first sight."""
    raw = text.encode("utf-8", "replace")
    classes = raw.translate(_CLASSES)
    names: dict[bytes, None] = {}
    find, rfind = classes.find, classes.rfind
    for hump in _HUMPS:
        at = find(hump)
        while at >= 0:
            end = find(b" ", at)
            if end < 0:
                end = len(classes)
            names[raw[rfind(b" ", 0, at) + 1 : end]] = None
            at = find(hump, end)
    return names


def _bare(names: Sequence[str]) -> Iterator[str]:
    """Names without the marks of writing around them, which count as letters: `¿Cómo` is none."""
    for name in names:
        bare = name if name.isascii() else name.strip(_MARKS)
        if bare == name or spaced(bare):
            yield bare


@lru_cache(maxsize=_REMEMBERED)
def spaced(name: str) -> str:
    """The parts of a camel name with spaces between, single characters left out.

    `HTTPServer2` gives `HTTP Server2`, `CObject` gives `Object`, and what has no parts (`URLs`) the empty text.
    """
    parts = _PART.findall(_ACRONYM_END.sub(" ", _PLURAL.sub("", name)))
    return " ".join(part for part in parts if len(part) > 1) if len(parts) > 1 else ""


class _Parts(dict[bytes, str]):
    """The parts of each name that was met: most come again and again."""

    def __missing__(self, name: bytes) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        bare = next(_bare([name.decode()]), "") if len(name) <= LONGEST else ""
        self[name] = parts = spaced(bare)
        return parts


_KNOWN_PARTS = _Parts()


# Letters, digits, and what joins parts of a word or a number, byte by byte.
_JOINTS = bytes(
    ord("a") if chr(byte).isalpha() or byte >= 128 else ord("0") if 48 <= byte <= 57 else ord("-") if byte in b"-&"
    else ord(",") if byte in b",.'" else ord(" ")
    for byte in range(256)
)  # fmt: skip
_JOINED = (b"a-a", b"a-0", b"0-a", b"a0", b"0a", b"0,000", b"a,a,", b"0-0", b"0 0")
_GROUPED = re.compile(r"[A-Z]{0,4}\d{2,5}(?:[ -]\d{2,5}){2,9}(?!\d)")
_THOUSANDS = re.compile(r"\d{1,3}(?:([,.'])\d{3})(?:\1\d{3})*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}")
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_MOST_PARTS = 3
"""Runs of letters or digits of a word that is split: one with more is a sum or a key."""
_LONGEST_JOINED = 40


def joined(text: str) -> list[str]:
    """Other spellings of joined words and numbers: `email` of `e-mail`, `25 kg` of `25kg`, `1234567` of `1,234,567`,
    and a number in groups (`0470 12 34 56`) without its blanks."""
    raw = text.encode("utf-8", "replace")
    classes = raw.translate(_JOINTS)
    found: dict[str, None] = {}
    words: dict[bytes, None] = {}
    for joint in _JOINED:
        at = classes.find(joint)
        while at >= 0:
            start, end = classes.rfind(b" ", 0, at + 1) + 1, classes.find(b" ", at)
            end = len(classes) if end < 0 else end
            words[raw[start:end]] = None
            if joint in (b"0 0", b"0-0") and (
                grouped := _GROUPED.match(raw[start : start + 64].decode("utf-8", "replace"))
            ):
                found[grouped[0].replace(" ", "").replace("-", "")] = None
                end = max(end, start + len(grouped[0]))
            at = classes.find(joint, max(end - 1, at + 1))
    known = _KNOWN_SPELLINGS
    found.update((spelling, None) for word in words if len(word) <= LONGEST for spelling in known[word])
    return list(found)


class _Spellings(dict[bytes, tuple[str, ...]]):
    """The other spellings of each joined word that was met."""

    def __missing__(self, word: bytes) -> tuple[str, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = spellings = tuple(_spellings(word.decode("utf-8", "replace").strip(",.'-&")))
        return spellings


_KNOWN_SPELLINGS = _Spellings()


def _spellings(word: str) -> Iterator[str]:
    if _INITIALS.fullmatch(f"{word}."):
        yield word.replace(".", "")
    if _THOUSANDS.fullmatch(word):
        yield "".join(filter(str.isdigit, word))
    for name in re.split("[,.']+", word):
        parts = re.split("[-&]+", name)
        if len(parts) > 1 and len(name) <= _LONGEST_JOINED:
            yield "".join(parts)
        for part in parts:
            split = _LETTERS_OR_DIGITS.findall(part)
            if 1 < len(split) <= _MOST_PARTS:
                yield " ".join(split)


def compounds(text: str) -> list[str]:
    """Names joined by `_ . :: -> \\` in a question, each as written: `parse_query`, `std::vector`; not `e.g`. So are
    three words and more with hyphens (`externally-managed-environment`); two are often just words (`hand-made`)."""
    joined = [name for name in _COMPOUND.findall(text) if _LONG_PART.search(name)]
    return joined + _HYPHENED.findall(text) if "-" in text else joined


def with_symbols(text: str) -> str:
    """A text with `cplusplus`, `csharp`, `fsharp`, `dotnet` beside the names that are made of symbols."""
    # One character is found many times faster than two, and most texts have neither.
    if "+" in text and "++" in text:
        text = text.replace("C++", "C++ cplusplus ").replace("c++", "c++ cplusplus ")
    if _has_sharp(text):
        for symbol, word in _SHARP:
            text = text.replace(symbol, symbol + word)
    return text.replace(".NET", ".NET dotnet ")


def _has_sharp(text: str) -> bool:
    """Whether a `#` stands behind a letter that it may make a name with: in Markdown most begin a line."""
    at = text.find("#")
    while at >= 0:
        if at and text[at - 1] in "CcFf":
            return True
        at = text.find("#", at + 1)
    return False


def with_asked_symbols(question: str) -> str:
    """The same for a question, where the letters' case does not matter: people ask for `c#` and `.net`."""
    return with_symbols(_ASKED_SYMBOL.sub(lambda match: match[0].upper(), question))
