"""Cleaning of a page's text: removes glyph codes, restores ligatures and unifies line ends; and the share of
wrong characters, as fonts without a Unicode mapping give."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
"""Meaningless glyph codes. U+FFFE is pdfium's mark for a hyphen at a line end."""

_LIGATURES = str.maketrans(
    {
        code: sign
        for codes in ("\x0b\x0c\r\x0e\x0f", "\x1b\x1c\x1d\x1e\x1f")
        for code, sign in zip(codes, "ﬀﬁﬂﬃﬄ", strict=True)
    }
)
"""Ligatures by their codes in TeX fonts, in the older and the newer encoding."""
_SPELLED = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
"""Ligatures and the letters that they combine."""
_JOINED = re.compile("[ﬀ-ﬆ]")
_IN_WORDS = re.compile(
    r"[\x0b-\x11\x15\x16\x1b-\x1f](?:(?<=[^\W\d_][\x0b\x0c\x0e\x0f\x1b-\x1f])(?=[a-z])"
    r"|(?<![^\W\d_].)(?<=[\x0b\x0c\x0e\x0f\x1b-\x1f])(?=[a-z]{2})"
    r"|(?<![^\W\d_].)(?<=[\x0c\x1c])(?=[tx](?![^\W\d_]))|(?<=\b[oO][\x0b\x1b])(?![^\W\d_])"
    r"|(?<=[^\W\d_]{2}[\x0b\x0c\x0e\x0f\x1b-\x1f])(?![^\W\d_])"
    r"|(?<=[^\W\d_]\r)(?=[a-z])|(?<=[ (]\r)(?=[a-z]{2})"
    r"|(?<=\x10)(?=\w)|(?<=[\w.,!?]\x11)(?!\w)|(?<=[\w% ][\x15\x16])(?=[\w ]))",
    re.DOTALL,
)
"""Glyph codes that can only be ligatures, quotes or dashes by their context; others may be formula symbols."""
_SIGNS = str.maketrans({"\x10": "“", "\x11": "”", "\x15": "–", "\x16": "—"})
_NUMBERED = {
    **{sign: number for number, sign in enumerate(
        "✁✂✄☎✆✝✞✟✠✡☛☞✌✍✎✏✑✒✓✔✕✖✗✘✙✚✛✜✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❑▲▼◆❖", 1)},
    **{sign: number for number, sign in enumerate("◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣", 81)},
    **{sign: number for number, sign in enumerate("✉✈✇①②③④⑤⑥⑦", 117)},
    **{sign: number for number, sign in enumerate("➚➪➶➹➘➴➷➬➮➱✃❐❒❮❰", 192)},
}  # fmt: skip
"""Dingbat signs by the number in their glyph names (`a101`). Bitmap TeX fonts use such names for letters, so that PDF
readers return `❡` for `e`."""
_NOT_ASCII = {
    **{number: _LIGATURES[number] for number in (11, 12, 13, 14, 15, 27, 28, 29, 30, 31)},
    16: "“", 17: "”", 21: "–", 22: "—", 39: "’", 96: "‘",
}  # fmt: skip
_LETTERS = {
    ord(sign): _NOT_ASCII.get(number) or (chr(number) if number >= 32 else sign) for sign, number in _NUMBERED.items()
}
_E = "❡"
_KINDS_OF_SIGNS = 10
_SMALL_WORDS = "the of and is to in for with der die und von de la le les et en el los y di che il um do da van het"
"""Frequent short words, of which a text has some in most European languages."""
_AROUND_WORDS = ".,:;!?()[]“”‘’–—-"
_BULLET = re.compile(r"^[\x01-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff](?=[ \t]{1,4}[^\W\d_]{2})", re.MULTILINE)
"""A glyph code of a symbol font at the beginning of a line."""
SAMPLE = 250
"""Number of characters sampled from a page at even distances."""
GARBLED = 0.5
"""Share of wrong characters from which on a page's text is discarded."""
DOUBTFUL = 0.15
_WRONG = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffd\uffff\U000f0000-\U0010ffff]"
)
_CODES = 5
"""Maximum characters for each letter among unmapped codes that are correct; tables of figures have few letters."""


def clean(text: str) -> str:
    """Return a page's text without glyph codes and with line feeds as line ends, ending with one."""
    text = restored(text.replace("\r\n", "\n")).replace("\r", "\n")
    return NOT_TEXT.sub("", text).rstrip() + "\n"


def spelled(text: str) -> str:
    """Return the text with ligatures spelled out: `coeﬃcients` becomes `coefficients`."""
    return text.translate(_SPELLED) if not text.isascii() and _JOINED.search(text) else text


def restored(text: str) -> str:
    r"""Return the text with glyph codes replaced by ligatures, quotes and bullets, one character for one. Examples:
    `coe\x1ecients` becomes `coeﬃcients`, `t❤❡` becomes `the`."""
    if _E in text and _is_written_in_signs(text):
        text = text.translate(_LETTERS)
    if not NOT_TEXT.search(text) and not _BULLET.search(text):
        return text
    return _IN_WORDS.sub(lambda code: code[0].translate(_LIGATURES).translate(_SIGNS), _BULLET.sub("•", text))


def _is_written_in_signs(text: str) -> bool:
    """Return True if the dingbats on a page are letters: many kinds, mostly in words, with a frequent short word."""
    signs = frozenset(text).intersection(_NUMBERED)
    if len(signs) < _KINDS_OF_SIGNS:
        return False
    read = [word.translate(_LETTERS).strip(_AROUND_WORDS) for word in text.split() if not signs.isdisjoint(word)]
    words = [word.lower() for word in read if len(word) > 1 and word.isalpha()]
    return 2 * len(words) > len(read) and not frozenset(words).isdisjoint(_SMALL_WORDS.split())


def wrong_share(characters: Iterable[tuple[str, bool]]) -> float:
    """Return the share of wrong characters. Each character comes with True if its font has no Unicode mapping for it.
    Such codes count as correct if their letters are mostly lower case, as in old fonts."""
    visible = [(char, is_code) for char, is_code in characters if char not in " \t\r\n\xa0\ufffe"]
    codes = "".join(char for char, is_code in visible if is_code)
    small, capitals = (sum(map(letters.__contains__, codes)) for letters in (ascii_lowercase, ascii_uppercase))
    are_codes_wrong = small < capitals or _CODES * (small + capitals) < len(codes)
    judged = "".join(char for char, is_code in visible if not (is_code and are_codes_wrong))
    wrong = len(visible) - len(_WRONG.sub("", judged))
    return wrong / len(visible) if visible else 0.0
