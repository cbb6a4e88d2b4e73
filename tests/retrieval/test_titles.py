"""What titles are called, and which of it a question asks for."""

from dataclasses import replace

import pytest

from biblicus.contracts import Call, RankedChunk
from biblicus.models.question import Question
from biblicus.retrieval.words import called
from biblicus.retrieval.words.wording import Languages
from biblicus.text.terms import headlines, titles
from tests.sampling import each

ENGLISH = Languages(("english",))


@each(
    ("title", "terms"),
    [
        ("The Zen of Python", ("zen python",)),
        ("Window classes (Win32)", ("window class win32", "window class")),
        ("haul-rope (^H) (unbound) (H h)", ("haul rope h unbound h h", "haul rope")),
        ("PEP 20 – The Zen of Python", ("pep 20 zen python", "pep 20", "zen python")),
        ("Linker Tools Error LNK2019", ("linker tool error lnk2019", "lnk2019")),
        ("8.6. Boolean Type", ("8 6 boolean type", "boolean type")),
        ("Chapter 5. Data Definition", ("chapter 5 data definit", "data definit")),
        ("Appendix B. Tides", ("appendix b tide", "=Tides", "tide")),
        ("--anchor DEPTH", ("anchor depth", "=--anchor", "anchor")),
        ("-a, --anchor", ("a anchor", "=-a", "=--anchor")),
        ("Winch.haul_in(rope)", ("winch haul rope", "=winch.haul_in", "winch haul", "haul")),
        ("wind ROPE [LOAD...]", ("wind rope load", "wind", "wind rope")),
        ("-N", ("n", "=-N")),
        ("HARBOUR_DEPTH", ("harbour depth", "=harbour_depth", "=HARBOUR_DEPTH")),
        ("A winch", ("winch",)),
        ("WinchPanel", ("winchpanel", "=WinchPanel", "winch panel")),
        ("URLs", ("url", "=URLs")),
        ("What's it?", ("what it",)),
        ("What is TIDE? -- Rise and Fall", ("tide rise fall", "=TIDE", "tide", "rise fall")),
        ("One two three four five six seven words that are a sentence", ()),
        ("黑猫", ("黑猫",)),
        ("", ()),
        ("---", ()),
    ],
)
def test_the_terms_of_a_title(title, terms):
    assert titles.terms(title, "english", "english") == terms


@pytest.mark.parametrize(
    ("title", "ends"),
    [
        ("Harbour Guild Code of Conduct", ("guild code conduct", "code conduct")),
        ("8.2. The Gull Winch", ("winch",)),
        ("Winch", ()),
        ("gull_winch", ()),
        ("pg_dump --all", ()),
        ("One two three four five six seven words that are a sentence", ()),
    ],
)
def test_the_ends_of_a_title(title, ends):
    assert titles.endings(title, "english", "english") == ends


def test_each_run_of_a_questions_words_has_its_share():
    runs = called.named(
        Question("What is the zen of python?", {"en": 1.0}), ENGLISH, {"zen": 3.0, "python": 1.0}.__getitem__
    )
    assert [(run.terms, run.weight, run.share) for run in runs] == [
        (("zen",), 3.0, 0.75),
        (("zen python",), 4.0, 1.0),
        (("python",), 1.0, 0.25),
        (("~zen python",), 12.0, 1.0),
        (("^zen python",), 4.0, 1.0),
        (("zen/python", "python/zen"), 4.0, 1.0),
        (("=zen python",), 1.0, 1.0),
    ]


def test_what_no_heading_is_called_stands_in_no_section():
    question, weights = Question("the python zen", {"en": 1.0}), {"zen": 3.0, "python": 1.0}
    runs = called.named(question, ENGLISH, weights.__getitem__, heads={"zen"}.__contains__)
    assert [run.terms for run in runs if run.is_placed] == [("python/zen",)]
    assert not any(run.is_placed for run in called.named(question, ENGLISH, weights.__getitem__, lambda term: False))


def test_an_option_counts_however_common_its_letter_is():
    weights = {"slipway": 3.0, "a": 0.01}
    named = called.named(Question("what does slipway -a do", {"en": 1.0}), ENGLISH, weights.__getitem__)
    assert {run.terms[0]: run.weight for run in named}["=-a"] == 18.0


def test_a_run_has_a_term_in_each_language():
    languages = Languages(("english", "german"))
    named = called.named(Question("running Häuser", {}), languages, len)
    assert [run.terms for run in named if run.share == 1] == [
        ("run hauser", "running haus"),
        ("run/hauser", "hauser/run", "running/haus", "haus/running"),
        ("=running hauser",),
    ]


def test_the_page_of_a_command_is_wanted_by_who_asks_how_that_is_done():
    begins = RankedChunk(
        0, 0, "", "Hauls it.", "en", "text/markdown", "document", (), "a.md", title="winch-haul", opens=True
    )
    named = called.named(Question("How do I haul a rope?", {"en": 1.0}), ENGLISH, len)
    assert "^haul" in called.of(begins, "english", "english")[1]
    assert "^haul" not in called.of(replace(begins, opens=False), "english", "english")[1]
    assert "^haul" in [term for run in named for term in run.terms]


def test_a_question_of_many_spaces_is_read_to_its_end():
    named = called.named(Question(f"What is a moon{' ' * 300_000}net in June?", {"en": 1.0}), ENGLISH, len)
    assert "~moon net" in [term for run in named for term in run.terms]


def test_a_long_question_names_nothing():
    assert called.named(Question("moon " * 25, {"en": 1.0}), ENGLISH, len) == []


def test_the_whole_title_counts_more_than_its_words(read, chunk):
    reader = read(
        [
            chunk(0, "the winch winds", title="Winch", context="Winch"),
            chunk(1, "winch winch winch", title="Winch drum", context="Winch drum"),
            chunk(2, "the moon", title="Moon", context="Moon"),
        ]
    )
    assert [hit.row for hit in reader.search(Question("What is a winch?", {"en": 1.0}), None, 3, Call())] == [0, 1]


def test_a_leg_without_titles_knows_none(read, chunk):
    chunks = [chunk(0, "a rope", title="Winch", heading="Winch"), chunk(1, "a winch and a moon", title="Moon")]
    reader = read(chunks, title="none")
    assert [hit.row for hit in reader.search(Question("winch", {"en": 1.0}), None, 3, Call())] == [1]


LONG = "It is hauled by two men who stand at the drum and turn it all day long."


@pytest.mark.parametrize(
    ("text", "media_type", "headings"),
    [
        ("# Winch\n\nIt hauls.\n\n## The *drum* ##\n#hauls", "text/markdown", ["Winch", "The drum"]),
        ('## <a name="haul"></a> `Winch::haul`\n\nIt hauls.', "text/markdown", ["Winch::haul"]),
        ("# ``\n\nIt hauls.\n\n# **", "text/markdown", ["``"]),
        ("It hauls.\n```sh\n# a comment\n```\n# Winch", "text/markdown", ["Winch"]),
        ("## Winch\n\n#### --hold\nIt hauls.", "text/asciidoc", ["Winch", "--hold"]),
        ("Winch\n=====\n\nIt hauls.\n\nThe drum\n~~~~~~~~\n", "text/x-rst", ["Winch", "The drum"]),
        (".. _winch:\n----------\n  hauls\n-----", "text/x-rst", []),
        ("# Winch", "text/plain", []),
        (
            f"Winches of 1842\n\n{LONG}\n\nHow is it wound?\n\n{LONG}",
            "text/html",
            ["Winches of 1842", "How is it wound?"],
        ),
        (f"Figure 3. Its drum\n\n{LONG}\n\nThe drum\n\n{LONG}", "application/docbook+xml", ["The drum"]),
        (f"It hauls.\n\n{LONG}\n\n- A drum\n\n{LONG}\n\nDrum\n\nShort.", "text/html", []),
    ],
)
def test_headings_within_a_text(text, media_type, headings):
    assert headlines.within(text, media_type) == headings


def test_a_chunk_is_called_as_the_headings_within_it_are(read, chunk):
    text = "It winds.\n\n## Winding the drum\n\nIt is wound."
    reader = read([chunk(0, "the drum winding, winding the drum"), chunk(1, text, media_type="text/markdown")])
    assert [hit.row for hit in reader.search(Question("winding the drum", {"en": 1.0}), None, 2, Call())] == [1, 0]


def test_a_section_is_found_where_it_begins(read, chunk):
    chunks = [
        chunk(0, "Of the winches there are many in each of the harbours of this coast.", heading="Winches"),
        chunk(1, "Winches\n\nOf them there are many in each of the harbours of this coast.", heading="Winches"),
    ]
    hits = read(chunks).search(Question("winches", {"en": 1.0}), None, 2, Call())
    assert [hit.row for hit in hits] == [1, 0]


@pytest.mark.parametrize(
    ("item", "question"),
    [
        ("* `-q/--quay-light`: Light the lamps of the quay.", "What does -q do?"),
        ("* `-q/--quay-light`: Light the lamps of the quay.", "What does the --quay-light flag do?"),
        ("- **-q**, **--quay-light** PLACE: Light the lamps.", "What does --quay-light do?"),
        ("| `--quay-light` | Light the lamps. |", "--quay-light"),
    ],
)
def test_items_of_lists_and_rows_are_called_as_their_options(read, chunk, item, question):
    text = f"Options of every day, and some for the night when nobody but the watch is there:\n\n{item}\n* `-z`: Sleep."
    chunks = [
        chunk(0, "The watch is woken by -q or --quay-light; --quay-light and -q are known to it."),
        chunk(1, text, media_type="text/markdown"),
        chunk(2, text.replace("-q", "-Q").replace("quay", "pier"), media_type="text/markdown"),
    ]
    assert next(iter(read(chunks).search(Question(question, {"en": 1.0}), None, 3, Call()))).row == 1
