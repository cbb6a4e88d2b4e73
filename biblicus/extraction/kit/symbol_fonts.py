"""Unicode characters for the codes of symbol fonts (Symbol, Wingdings, Webdings)."""

from __future__ import annotations

_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)
_WINGDINGS = (
    (
        " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍"
        "🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉"
        "♊♋♌♍♎♏♐♑♒♓🙰🙵●🔾■☐🞐❑❒⬧⧫◆❖⬥☒⮹⌘🏵🏶🙶🙷"
    ),
    ("▪○🞆🞈◉◎🔿▪☐🟂✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂▭▫✗✓☒☑"),
)
_NUMBERS = dict(enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", 0x80)) | {0x9E: "·", 0x9F: "•"}


def _table(parts: tuple[str, str]) -> dict[int, str]:
    return {start + number: sign for start, signs in zip((0x20, 0xA0), parts, strict=True)
            for number, sign in enumerate(signs)}  # fmt: skip


_TABLES = {
    "symbol": _table(_SYMBOL),
    "wingdings": _table(_WINGDINGS) | _NUMBERS,
    "wingdings 2": dict(zip(b"OPQRSTUV*0\xa3\x97\x98", "✗✓☒☑☒☒✗✗☐☐☐●•", strict=True)),
    "wingdings 3": dict(zip(b"fghijklmnpqru}", "←→↑↓↖↗↙↘↔▲▼△◀▶", strict=True)),
    "webdings": dict(zip(b"acgr34567=@i~", "✓☐■✗◀▶▲▼⏪🗎🖉ℹ⚡", strict=True)),
}


def is_symbol_font(font: str) -> bool:
    return font.strip().lower() in _TABLES


def symbol(code: int, font: str) -> str:
    """Return the character for a code in a font, or an empty string for an unknown private code."""
    byte = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    character = _TABLES.get(font.strip().lower(), {}).get(byte)
    if character is not None:
        return character
    is_unknown = 0xE000 <= code <= 0xF8FF or not 0 < code < 0x110000 or (code < 0x100 and is_symbol_font(font))
    return "" if is_unknown else chr(code)  # a character that the font lacks is shown in another


def in_font(text: str, font: str) -> str:
    """Return the text as displayed in a font; unchanged unless it is a symbol font."""
    return "".join(symbol(ord(char), font) for char in text) if is_symbol_font(font) else text
