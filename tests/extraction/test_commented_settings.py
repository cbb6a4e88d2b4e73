"""Files of settings: which lines are entries, and where these begin."""

import pytest

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.models.extraction import ENTRY, Extraction
from biblicus.text import media

REDIS = """# The winch of the harbour.

# Listen for orders on the
# specified port.
port 6379

# How often a rope is looked at.
#
#rope-checks 3

hold yes

# Where the log is kept, in letters.
logfile /var/log/winch

# It is oiled by whoever has the watch.
# See the manual.

oiled yes
"""
POSTGRES = """#------
# ROPES
#------

# - Moorings -

max_ropes = 100\t\t# (change requires restart)
#slack = 4MB\t\t\t# min 64kB
\t\t\t\t# per rope
plain = 3
other = 4 # see the docs
"""
INI = """[haul]
; Boats that are hauled at once.
boats = 3

; Seconds between two of them.
; name = what it is called, as an example
pause: 5
[slip "a"] ; the first
; Whether it is lit at night.
;lit = yes
"""


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (REDIS, ["# Listen for: port", "# How often: rope-checks", "# Where the: logfile", "# It is: oiled"]),
        (POSTGRES, ["max_ropes = 100: max_ropes", "#slack = 4MB: slack", "other = 4: other"]),
        (
            INI,
            [
                "[haul]: haul",
                "; Boats that: boats",
                "; Seconds between: pause",
                '[slip "a"]: slip "a"',
                "; Whether it: lit",
            ],
        ),
        ("a = 1\nb = 2\nc = 3\n", []),
        ("# Two comments are too few to cut a file by them.\na = 1\n# The second of them is this.\nb = 2\n", []),
    ],
)
def test_settings_that_comments_tell_of_are_entries(text: str, headings: list[str]) -> None:
    outcome = plugins.make("extraction", "settings", {}).extract(text.encode(), MediaHint("a.conf", "text/x-ini"))
    assert isinstance(outcome, Extraction)
    assert outcome.text == text
    begins = [" ".join(text[heading.offset :].split()[:3]) for heading in outcome.headings]
    assert len(begins) == len(headings)
    for heading, begin, expected in zip(outcome.headings, begins, headings, strict=True):
        assert begin.startswith(expected.rpartition(": ")[0])
        assert (heading.title, heading.level) == (expected.rpartition(": ")[2], 2 if begin[0] == "[" else ENTRY)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("winch.conf", "text/x-ini"),
        ("winch.conf.sample", "text/x-ini"),
        ("winch.ini-production", "text/x-ini"),
        ("compose.yml.example", "application/yaml"),
        ("sample", "text/plain"),
        (".example", "text/plain"),
    ],
)
def test_a_file_that_shows_how_another_looks_is_of_its_type(name: str, media_type: str) -> None:
    assert media.media_type(name, b"port 3\n") == media_type
