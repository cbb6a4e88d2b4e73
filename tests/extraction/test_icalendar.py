"""Calendars and contacts are read as people would tell what is in them."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.reading import outcome_of, read
from tests.sampling import each

extract = partial(read, "icalendar")


def event(*lines: str) -> str:
    return "\r\n".join(
        ("BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:Regatta", *lines, "END:VEVENT", "END:VCALENDAR", "")
    )


def card(*lines: str) -> str:
    return "\r\n".join(("BEGIN:VCARD", *lines, "END:VCARD", ""))


@each(
    ("lines", "told"),
    [
        (["DTSTART:20250314T143000Z", "DTEND:20250314T150000Z"], "Regatta: 2025-03-14 14:30–15:00 (UTC)."),
        (["DTSTART;VALUE=DATE:20250401", "DTEND;VALUE=DATE:20250402"], "Regatta: 2025-04-01."),
        (["DTSTART;VALUE=DATE:20250401", "DTEND;VALUE=DATE:20250404"], "Regatta: 2025-04-01 to 2025-04-03."),
        (["DTSTART:20250314T220000", "DTEND:20250315T020000"], "Regatta: 2025-03-14 22:00 to 2025-03-15 02:00."),
        (["DTSTART:20250314T220000", "STATUS:CANCELLED"], "Regatta: 2025-03-14 22:00, cancelled."),
        (["DTSTART;VALUE=DATE:20250401", "RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20250601T000000Z"],
         "Regatta: 2025-04-01.\nRepeats: every 2 weeks until 2025-06-01"),
        (["DTSTART;TZID=Europe/Berlin:20250314T223000", "DURATION:PT1H15M"],
         "Regatta: 2025-03-14 22:30–23:45 (Europe/Berlin)."),
        (["DTSTART;VALUE=DATE:20250401", "DURATION:P2D"], "Regatta: 2025-04-01 to 2025-04-02."),
        (["DTSTART:20250314T220000", "DURATION:P0DT1H0M0S"], "Regatta: 2025-03-14 22:00–23:00."),
        (["DTSTART;VALUE=DATE:20250401", "DURATION:PT1H"], "Regatta: 2025-04-01."),
        (["DTSTART;VALUE=DATE:20250401", "DTEND;VALUE=DATE:20250401"], "Regatta: 2025-04-01."),
        (["DTSTART;VALUE=DATE:20250401", "DTEND;VALUE=DATE:00010101"], "Regatta: 2025-04-01."),
        (["RRULE:FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=-1"], "Repeats: every month\n"),
        (["RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"], "Repeats: every month\n"),
        (["RRULE:FREQ=YEARLY;BYDAY=4TH;BYMONTH=11"], "Repeats: every year\n"),
        (["DTSTART:20259999T000000", "DURATION:PT1H"], "Regatta: 2025-99-99 00:00."),
        (["RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4"], "Repeats: every week on Tuesday, Thursday, 4 times"),
        (["RRULE:FREQ=MONTHLY;BYDAY=2TU"], "Repeats: every month on the second Tuesday"),
        (["RRULE:FREQ=MONTHLY;BYDAY=-1FR"], "Repeats: every month on the last Friday"),
        (["RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15"], "Repeats: every month on day 1, 15"),
        (["RRULE:FREQ=YEARLY;BYDAY=20MO;BYMONTHDAY=x"], "Repeats: every year"),
        (["ORGANIZER;CN=Ada:mailto:ada@example.org", "ATTENDEE;CN=\"Stone, Bob\":mailto:b@example.org",
          "ATTENDEE:mailto:c@example.org"], "Organizer: Ada\nWith: Stone, Bob, c@example.org"),
        (["DTSTART:20259999T000000Z"], "Regatta: 2025-99-99 00:00 (UTC)."),
        (["DESCRIPTION:Two lines\\nof it\\, and", "  a third"], "Two lines\nof it, and a third"),
        (["BEGIN:VALARM", "DESCRIPTION:Reminder", "END:VALARM"], ""),
    ],
)  # fmt: skip
def test_an_event_in_a_line(lines: list[str], told: str):
    assert extract(event(*lines)).text.rstrip() == f"Regatta\n\n{told}".rstrip()


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["FN:Ada Stone", "TEL;TYPE=CELL,VOICE:1", "item1.EMAIL;type=INTERNET;type=WORK:a@b.c"],
         "Ada Stone; phone (cell): 1; e-mail (work): a@b.c."),
        (["N:Stone;Ada;;;", "ADR;HOME:;;5 Quay;Kiel;;24103;DE"], "Ada Stone; address (home): 5 Quay, Kiel, 24103, DE."),
        (["N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=", "=B6rg"], "Jörg Müller."),
        (["ORG:Rope Works;Quay"], "Rope Works, Quay."),
        (["FN:Ada", "BDAY:--0517", "PHOTO;ENCODING=b:" + "A" * 99], "Ada; birthday: --0517."),
        (["FN:Ada", "NOTE:" + "mends nets " * 9], "Ada.\n\n" + ("mends nets " * 9).strip()),
    ],
)  # fmt: skip
def test_a_contact_in_a_line(lines: list[str], told: str):
    text = extract(card(*lines)).text.rstrip()
    assert text.partition("\n\n")[2] == told


def test_each_is_a_place_of_its_own():
    read = extract(card("FN:Ada") + card("FN:Bob") + card("FN:Ada"))
    assert [heading.title for heading in read.headings] == ["Ada", "Bob", "Ada"]
    assert [spot.name for spot in read.spots] == ["Ada", "Bob", "Ada (2)"]


def test_a_calendar_has_its_name_and_what_is_none_is_plain_text():
    assert extract("BEGIN:VCALENDAR\nX-WR-CALNAME:Boats\n" + event().partition("\n")[2]).title == "Boats"
    assert extract("Just a note.\n").text == "Just a note.\n"


@given(
    st.lists(st.sampled_from(["BEGIN:VEVENT", "END:VEVENT", "END:", ":", "SUMMARY:", "DTSTART:2025", 'X;Y="a:b', " c"]))
)
def test_any_lines_are_read(lines: list[str]):
    outcome_of("icalendar", "\n".join(lines))
