"""What stands behind glyph codes of a page's text."""

from hypothesis import given
from hypothesis import strategies as st

from biblicus.extraction.pdf.page_text import clean, restored, spelled
from tests.sampling import each


@each(
    ("text", "expected"),
    [
        ("di\x1berent coe\x1ecients of \x1cgures", "diﬀerent coeﬃcients of ﬁgures\n"),
        ("di\x0berent coe\x0ecients of \x0cgures", "diﬀerent coeﬃcients of ﬁgures\n"),
        ("a \x1ct cuts o\x0b x\x0b. It is stu\x1b", "a ﬁt cuts oﬀ x. It is stuﬀ\n"),  # one letter: of a formula
        ("in\ruence of \rowing water\r\nends", "inﬂuence of ﬂowing water\nends\n"),
        ("\x10wins\x11, and 65\x1585%", "“wins”, and 65–85%\n"),
        ("Goals:\r\n\x88 Make it\r\n\uf0b7 Test it", "Goals:\n• Make it\n• Test it\n"),
        ("\x0bx + \x0c", "x +\n"),
        ("❚❤❡ ♠❡t❤♦❞s ✉s❡❞ ❢♦r ✜tt✐♥❣ ✕ ✷✵✷✷", "The methods used for ﬁtting – 2022\n"),
        ("❡✣❝✐❡♥t ❛♥❞ s✐♠♣❧❡", "eﬃcient and simple\n"),
        ("Suits: ♠♥♦♣. ✓ done, ① first, ② second", "Suits: ♠♥♦♣. ✓ done, ① first, ② second\n"),
        ("★★★★★", "★★★★★\n"),
        ("①②③④ steps", "①②③④ steps\n"),
        ("♠♥♦♣ bridge: ♠♠♠♠♠ ♥♥♥", "♠♥♦♣ bridge: ♠♠♠♠♠ ♥♥♥\n"),
        ("✈✈✈ fly", "✈✈✈ fly\n"),
        ("▲▼▲▼ arrows ok", "▲▼▲▼ arrows ok\n"),
        ("■■■■□□ 60 %", "■■■■□□ 60 %\n"),
        ("❡❢❣❤✐❥❦❧♠♥♦♣ in a row", "❡❢❣❤✐❥❦❧♠♥♦♣ in a row\n"),
        ("❛ ❜ ❝ ❞ ❡ ❢ ❣ ❤ ✐ ❥ ✐♥ ❦ ❧", "❛ ❜ ❝ ❞ ❡ ❢ ❣ ❤ ✐ ❥ ✐♥ ❦ ❧\n"),
        ("the free\ufffedom", "the freedom\n"),
        ("plain", "plain\n"),
    ],
)
def test_codes_are_the_letters_and_signs_that_people_see(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(st.text("\x0b\x0c\r\n\x0e\x10\x11\x15\x1b\x1e\x88\uf0b7 abZ9.", max_size=60))
def test_each_character_keeps_its_place(text: str) -> None:
    assert len(restored(text)) == len(text)


def test_ligatures_are_spelled_out() -> None:
    assert spelled("coeﬃcients of ﬁgures, stuﬀ, ﬂow, baﬄe") == "coefficients of figures, stuff, flow, baffle"
