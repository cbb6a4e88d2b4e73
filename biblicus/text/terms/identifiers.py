"""Source code identifiers as words: `getUserName`, `get_user_name`, `std::vector`, `C++`.

The analyzer splits words at `_ . - : >`. This module adds camel-case parts, language names with symbols, and finds
identifiers in questions. All functions take linear time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

_REMEMBERED, _NAMES = 1 << 16, 1 << 10
"""Maximum cached words and names, each with their other spellings."""
LONGEST = 120
"""Maximum bytes of a name; longer ones are data (base64, minified code)."""

WORDS = bytes(byte if byte >= 128 or chr(byte).isalnum() or chr(byte) in "-&,.'" else 32 for byte in range(256))
"""Byte table for splitting: keeps letters, digits and joining signs, replaces others by blanks. Bytes of non-ASCII
characters count as lower-case letters; `_bare` examines them."""
SIGNS = b"-&,.'"
"""The joining signs, which are dropped at the ends of a word."""
# Patterns that few questions need are compiled on first use.
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
    """Return the distinct camel-case names (`getUserName`, `CObject`) in order of appearance; not `URLs`."""
    return list(dict.fromkeys(name for word in _words(text) for name in _humped(word)))


def other_spellings(text: str) -> list[str]:
    """Return the parts of each camel-case name (see `spaced`), and the results of `joined`."""
    return list(
        dict.fromkeys(chain(chain.from_iterable(map(_KNOWN.__getitem__, _words(text))), grouped(_encoded(text))))
    )


def others(word: bytes) -> tuple[str, ...]:
    """Return the other spellings of a word as split by `WORDS`."""
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
    """Return the camel-case names in a word, split at signs."""
    if not _HUMP.search(word):
        return []
    return list(
        _bare([name.decode() for name in re.findall(_NAME, word) if _HUMP.search(name) and len(name) <= LONGEST])
    )


def _bare(names: Sequence[str]) -> Iterator[str]:
    """Yield the names without surrounding punctuation that counts as letters, so that `¿Cómo` is no name."""
    for name in names:
        bare = name if name.isascii() else name.strip(_MARKS)
        if bare == name or spaced(bare):
            yield bare


@lru_cache(maxsize=_NAMES)
def spaced(name: str) -> str:
    """Return the parts of a camel-case name separated by spaces, without single characters. `HTTPServer2` gives `HTTP
    Server2`, `CObject` gives `Object`; a name without parts (`URLs`) gives an empty string."""
    parts = re.findall(_PART, re.sub(_ACRONYM_END, " ", re.sub(_PLURAL, "", name)))
    return " ".join(part for part in parts if len(part) > 1) if len(parts) > 1 else ""


_A = r"[a-zA-Z\x80-\xff]"
_JOINT = re.compile(
    rf"[{_A[1:-1]}\d][-&][{_A[1:-1]}\d]|{_A}\d|\d{_A}|\d[,.']\d{{3}}|{_A}[,.']{_A}(?:[,.']|\Z)".encode("latin-1")
)
_DIGITS = bytes(ord("0") if 48 <= byte <= 57 else byte if byte in b" -" else ord("a") for byte in range(256))
_GROUPED = r"(?<![\w,.'&-])[A-Z]{0,4}\d{2,5}(?:[ -]\d{2,5}){2,9}(?!\d)"
_PARTED, _HYPHENS = "[,.']+", "[-&]+"
_THOUSANDS = r"(\d{1,3}(?:([,.'])\d{3})(?:\2\d{3})*)((?!\2)[.,]\d{1,4})?"
_INITIALS = r"(?:[^\W\d_]\.){2,}"
_LETTERS_OR_DIGITS = r"[^\W\d_]+|\d+"
_MOST_PARTS = 3
"""Maximum runs of letters or digits in a word that is split; more indicate a hash or key."""
_LONGEST_JOINED = 40


def joined(text: str) -> list[str]:
    """Return other spellings of joined words and numbers: `email` of `e-mail`, `25 kg` of `25kg`, `1234567` of
    `1,234,567`. A number in groups (`0470 12 34 56`) is returned without blanks."""
    return list(dict.fromkeys(chain(*map(_spellings, _words(text)), grouped(_encoded(text)))))


def grouped(raw: bytes) -> Iterator[str]:
    """Yield the numbers in groups of at least two digits in an encoded text, without blanks."""
    digits = raw.translate(_DIGITS)
    if b"00 00" in digits or b"00-00" in digits:
        for number in re.findall(_GROUPED, raw.decode()):
            yield number.replace(" ", "").replace("-", "")


class _Known(dict[bytes, tuple[str, ...]]):
    """Cache of the other spellings of each word."""

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
    if word[0].isdigit() and (number := re.fullmatch(_THOUSANDS, word)):
        yield "".join(filter(str.isdigit, number[1])) + (number[3] or "")
    for name in re.split(_PARTED, word):
        parts = re.split(_HYPHENS, name) if "-" in name or "&" in name else [name]
        if len(parts) > 1 and len(name) <= _LONGEST_JOINED:
            yield "".join(parts)
        for part in parts:
            if not part.isalpha():
                yield from _split(part)


def _split(part: str) -> Iterator[str]:
    """Yield the letters and digits of a word separated: `25 kg` of `25kg`."""
    split = re.findall(_LETTERS_OR_DIGITS, part) if len(part) <= LONGEST else ()
    if 1 < len(split) <= _MOST_PARTS:
        yield " ".join(split)


def compounds(text: str) -> list[str]:
    r"""Return names joined by `_ . :: -> \` in a question as written: `parse_query`, `std::vector`; not `e.g`. Three or
    more words with hyphens (`externally-managed-environment`) count, two (`hand-made`) do not."""
    joined = [name for name in _COMPOUND.findall(text) if _LONG_PART.search(name)]
    return joined + re.findall(_HYPHENED, text) if "-" in text else joined


def with_symbols(text: str) -> str:
    """Return a text with `cplusplus`, `csharp`, `fsharp`, `dotnet` added after names made of symbols."""
    return with_signs(text).replace(".NET", ".NET dotnet ")


def with_signs(text: str) -> str:
    """Return a text with the words of `with_symbols`, except `dotnet`, which is recognised in the word itself."""
    # Searching for one character is much faster than for two, and most texts have neither.
    if "+" in text and "++" in text:
        text = text.replace("C++", "C++ cplusplus ").replace("c++", "c++ cplusplus ")
    if "#" in text and ("C#" in text or "c#" in text or "F#" in text):
        text = re.sub(_SHARP, lambda name: f"{name[0]} {name[0][0].lower()}sharp ", text)
    return text


def with_asked_symbols(question: str) -> str:
    """Return a question with the words of `with_symbols`, in any letter case, such as `c#` and `.net`."""
    return with_symbols(_ASKED_SYMBOL.sub(lambda match: match[0].upper(), question))


def toolkit_term(toolkit: str) -> str:
    """Return the term of all chunks about a toolkit, since its own pages seldom contain its name."""
    name = f"about {' '.join(toolkit_words(toolkit))}".encode("utf-8", "replace")
    return f"symbol{int.from_bytes(hashlib.blake2b(name, digest_size=7).digest())}"


def toolkit_words(name: str) -> list[str]:
    """Return the words of a toolkit's name in lower case: `Scikit-Learn` gives `scikit learn`."""
    return _LETTERS.findall(name.casefold())
