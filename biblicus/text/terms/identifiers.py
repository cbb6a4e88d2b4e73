"""Names from source code as words: `getUserName`, `get_user_name`, `std::vector`, `C++`.

Word breaking at `_ . - : >` is the analyzer's; what is left to do here are camel humps, languages whose names are made
of symbols, and telling which words of a question are such names. Everything runs in linear time on any text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

_REMEMBERED, _NAMES = 1 << 16, 1 << 10
"""Words whose other spellings are remembered, and names: of one page many come again, of another few."""
LONGEST = 120
"""In bytes: what is longer is no name but data (base64, minified code) and is left whole."""

WORDS = bytes(byte if byte >= 128 or chr(byte).isalnum() or chr(byte) in "-&,.'" else 32 for byte in range(256))
"""Letters, digits and the signs that join them, byte by byte: all else is between words. Bytes of other than ASCII
characters count as letters in lower case: `_bare` looks at them properly."""
SIGNS = b"-&,.'"
"""Those signs, which say nothing at the ends of a word."""
# What few questions need is compiled when it is first used.
_HUMP = re.compile(r"[a-z\x80-\xff][A-Z]|[A-Z]{2}[a-z\x80-\xff]{2}".encode("latin-1"))
_NAME = r"[\w\x80-\xff]+".encode("latin-1")
_PART = r"[A-Z]+(?![^\W\dA-Z_])\d*|[A-Z]?[^\W\dA-Z_]+\d*|\d+"
_ACRONYM_END = r"(?<=[A-Z])(?=[A-Z][a-z]{2})"
_PLURAL = r"(?<=[A-Z]{2})s(?![a-z])"
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:(?:::|->|[._\\])[^\W_]++)+")
_HYPHENED = r"(?<![\w-])[^\W\d_]{2,}(?:-[^\W\d_]{2,}){2,}(?![\w-])"
_LETTERS = re.compile(r"[^\W_]+")
_LONG_PART = re.compile(r"[^\W_]{2}")
_MARKS = "¿¡«»‹›“”„‟‘’‚…–—·•「」『』（），。：；？！、"
_SHARP = r"(?:[CF]|(?<![^\W_])(?<![,.'&+#-])c)#"
_ASKED_SYMBOL = re.compile(r"(?<![\w.])(c\+\+|[cf]#|\.net\b)", re.IGNORECASE)


def camels(text: str) -> list[str]:
    """The distinct names with camel humps (`getUserName`, `CObject`) in order of first sight; not `URLs`."""
    return list(dict.fromkeys(name for word in _words(text) for name in _humped(word)))


def other_spellings(text: str) -> list[str]:
    """The parts of each name with camel humps (see `spaced`), and what `joined` returns."""
    return list(
        dict.fromkeys(chain(chain.from_iterable(map(_KNOWN.__getitem__, _words(text))), grouped(_encoded(text))))
    )


def others(word: bytes) -> tuple[str, ...]:
    """The same of a word between characters that `WORDS` makes blanks."""
    if not word.isalnum():
        return (*filter(None, map(spaced, _humped(word))), *_spellings(word))
    if word.islower() or word.istitle() or word.isupper():
        return () if word.isalpha() or word.isdigit() else tuple(_split(word.decode()))
    if word.isdigit() or len(word) > LONGEST:
        return ()
    name = word.decode()
    parts = (spaced(name),) if _HUMP.search(word) else ()
    return (*filter(None, parts), *(() if word.isalpha() else _split(name)))


def _words(text: str) -> list[bytes]:
    return _encoded(text).translate(WORDS).split()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _humped(word: bytes) -> list[str]:
    """The names with humps in a word, each between signs."""
    if not _HUMP.search(word):
        return []
    return list(
        _bare([name.decode() for name in re.findall(_NAME, word) if _HUMP.search(name) and len(name) <= LONGEST])
    )


def _bare(names: Sequence[str]) -> Iterator[str]:
    """Names without the marks of writing around them, which count as letters: `¿Cómo` is none."""
    for name in names:
        bare = name if name.isascii() else name.strip(_MARKS)
        if bare == name or spaced(bare):
            yield bare


@lru_cache(maxsize=_NAMES)
def spaced(name: str) -> str:
    """The parts of a camel name with spaces between, single characters left out.

    `HTTPServer2` gives `HTTP Server2`, `CObject` gives `Object`, and what has no parts (`URLs`) the empty text.
    """
    parts = re.findall(_PART, re.sub(_ACRONYM_END, " ", re.sub(_PLURAL, "", name)))
    return " ".join(part for part in parts if len(part) > 1) if len(parts) > 1 else ""


_A = r"[a-zA-Z\x80-\xff]"
_JOINT = re.compile(
    rf"[{_A[1:-1]}\d][-&][{_A[1:-1]}\d]|{_A}\d|\d{_A}|\d[,.']\d{{3}}|{_A}[,.']{_A}(?:[,.']|\Z)".encode("latin-1")
)
_DIGITS = bytes(ord("0") if 48 <= byte <= 57 else byte if byte in b" -" else ord("a") for byte in range(256))
_GROUPED = r"(?<![\w,.'&-])[A-Z]{0,4}\d{2,5}(?:[ -]\d{2,5}){2,9}(?!\d)"
_PARTED, _HYPHENS = "[,.']+", "[-&]+"
_THOUSANDS = r"\d{1,3}(?:([,.'])\d{3})(?:\1\d{3})*"
_INITIALS = r"(?:[^\W\d_]\.){2,}"
_LETTERS_OR_DIGITS = r"[^\W\d_]+|\d+"
_MOST_PARTS = 3
"""Runs of letters or digits of a word that is split: one with more is a sum or a key."""
_LONGEST_JOINED = 40


def joined(text: str) -> list[str]:
    """Other spellings of joined words and numbers: `email` of `e-mail`, `25 kg` of `25kg`, `1234567` of `1,234,567`,
    and a number in groups (`0470 12 34 56`) without its blanks."""
    return list(dict.fromkeys(chain(*map(_spellings, _words(text)), grouped(_encoded(text)))))


def grouped(raw: bytes) -> Iterator[str]:
    """The numbers in groups, of two digits at least, of an encoded text, without their blanks."""
    digits = raw.translate(_DIGITS)
    if b"00 00" in digits or b"00-00" in digits:
        for number in re.findall(_GROUPED, raw.decode()):
            yield number.replace(" ", "").replace("-", "")


class _Known(dict[bytes, tuple[str, ...]]):
    """The other spellings of each word that was met: most come again and again."""

    def __missing__(self, word: bytes) -> tuple[str, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = spellings = others(word)
        return spellings


_KNOWN = _Known()


def _spellings(raw: bytes) -> Iterator[str]:
    if raw.isalpha() or len(raw) > LONGEST or not _JOINT.search(raw):
        return
    word = raw.strip(SIGNS).decode()
    if "." in word and re.fullmatch(_INITIALS, f"{word}."):
        yield word.replace(".", "")
    if word[0].isdigit() and re.fullmatch(_THOUSANDS, word):
        yield "".join(filter(str.isdigit, word))
    for name in re.split(_PARTED, word):
        parts = re.split(_HYPHENS, name) if "-" in name or "&" in name else [name]
        if len(parts) > 1 and len(name) <= _LONGEST_JOINED:
            yield "".join(parts)
        for part in parts:
            if not part.isalpha():
                yield from _split(part)


def _split(part: str) -> Iterator[str]:
    """Letters and digits of a part of a word apart: `25 kg` of `25kg`."""
    split = re.findall(_LETTERS_OR_DIGITS, part) if len(part) <= LONGEST else ()
    if 1 < len(split) <= _MOST_PARTS:
        yield " ".join(split)


def compounds(text: str) -> list[str]:
    """Names joined by `_ . :: -> \\` in a question, each as written: `parse_query`, `std::vector`; not `e.g`. So are
    three words and more with hyphens (`externally-managed-environment`); two are often just words (`hand-made`)."""
    joined = [name for name in _COMPOUND.findall(text) if _LONG_PART.search(name)]
    return joined + re.findall(_HYPHENED, text) if "-" in text else joined


def with_symbols(text: str) -> str:
    """A text with `cplusplus`, `csharp`, `fsharp`, `dotnet` beside the names that are made of symbols."""
    return with_signs(text).replace(".NET", ".NET dotnet ")


def with_signs(text: str) -> str:
    """The same but for `dotnet`, which a word shows by itself."""
    # One character is found many times faster than two, and most texts have neither.
    if "+" in text and "++" in text:
        text = text.replace("C++", "C++ cplusplus ").replace("c++", "c++ cplusplus ")
    if "#" in text and ("C#" in text or "c#" in text or "F#" in text):
        text = re.sub(_SHARP, lambda name: f"{name[0]} {name[0][0].lower()}sharp ", text)
    return text


def with_asked_symbols(question: str) -> str:
    """The same for a question, where the letters' case does not matter: people ask for `c#` and `.net`."""
    return with_symbols(_ASKED_SYMBOL.sub(lambda match: match[0].upper(), question))


def toolkit_term(toolkit: str) -> str:
    """Return the term of every chunk that is about a toolkit: its own pages seldom say its name."""
    name = f"about {' '.join(toolkit_words(toolkit))}".encode("utf-8", "replace")
    return f"symbol{int.from_bytes(hashlib.blake2b(name, digest_size=7).digest())}"


def toolkit_words(name: str) -> list[str]:
    """Return the words of a toolkit's name as people may write it: `Scikit-Learn` is `scikit learn`."""
    return _LETTERS.findall(name.casefold())
