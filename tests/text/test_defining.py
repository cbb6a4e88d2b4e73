"""What texts say the kind of."""

import time

from biblicus.text.terms import defining
from tests.sampling import each


@each(
    ("text", "language", "names"),
    [
        ("A `Stack` is the smallest unit.", "en", ("Stack",)),
        ("## Stacks\n\nThe [**lock**](lock.md) is a basin.", "en", ("lock",)),
        ("Locks\n=====\nA lock (or sluice) is a basin.", None, ("lock",)),
        ("Tides are the rise of the sea.\n\nAn ebb refers to water.", "en", ("Tides", "ebb")),
        ("2. `Text size` is one of the settings.", "en", ("Text size",)),
        ("* **Stack**: the smallest\n- `a_b` (old) - a thing\n+ no - b", "en", ("Stack", "a_b")),
        ("* **Stage:** the next", "en", ("Stage",)),
        ("Ein **Poller** ist ein Pfahl.", "de", ("Poller",)),
        ("La boya es un cuerpo que flota.", "es", ("boya",)),
        ("Une amarre est un cordage. L'amarre est l'outil.", "fr", ("amarre",)),
        ("Кранец — это подушка.", "ru", ("Кранец",)),
        ("`winch.toml` is Ada's configuration file.", "en", ("winch.toml",)),
        ("Windlasses are heavy drums that haul.", "en", ("Windlasses",)),
        ("Agents are **winch drivers (WDs)** who haul.", "en", ("Agents",)),
        ("The Global Winch Register (GWR) is a list.", "en", ("Global Winch Register", "GWR")),
        ("A winch (old) is a drum.", "en", ("winch",)),
        ("A capstan is used to haul boats.", "en", ("capstan",)),
        ("The crew is responsible for ropes.", "en", ("crew",)),
        ("A capstan is used on Mondays.", "en", ()),
        ("Windlasses are sold on Mondays.", "en", ()),
        ("Windlasses are slow.", "en", ()),
        ("This is a line. A stack is a pile.", "en", ()),
        ("The following is a list.", "en", ()),
        ("It holds\nbecause a stack is a pile.", "en", ()),
        ("A stack is smaller than a stage.", "en", ()),
        ("A name of far too many words to be one is a sentence.", "en", ()),
        ("Ein Poller ist ein Pfahl.", "en", ()),
        ("A" + "a" * 100 + " is a word.", "en", ()),
        ("", None, ()),
    ],
)  # fmt: skip
def test_names_are_told(text: str, language: str | None, names: tuple[str, ...]) -> None:
    assert defining.subjects(text, language) == names


def test_a_text_has_only_so_many() -> None:
    assert len(defining.subjects("\n".join(f"* **Name {at}**: a thing" for at in range(20)), "en")) == defining.MOST


def test_a_text_without_paragraphs_is_looked_at_once() -> None:
    began = time.process_time()
    assert defining.subjects("all of it is a thing " * 50_000, "en") == ()
    assert time.process_time() - began < 8
