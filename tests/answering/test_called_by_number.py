"""Things that are called by a number, and how somebody is reached."""

import pytest

from biblicus.answering import called_by_number
from tests.sampling import each


@each(
    ("question", "about", "is_another"),
    [
        ("the rent of shed 3", "Lease of shed 2", True),
        ("Miete von Haus 3", "Haus 2", True),
        ("the rent of shed 3", "Shed no. 3 and shed 2", False),
        ("the rent of shed 02", "Shed 2", False),
        ("Who votes by article 5?", "Articles 4 to 6", False),
        ("Who votes by article 7?", "Articles 4 to 6", True),
        ("the key of room 12", "Rooms 1, 2 and 12", False),
        ("Does it run on Windows 11?", "Windows 10 and newer", False),
        ("Does it run on Windows 7?", "Windows 10 and newer", True),
        ("within 30 days", "within 14 days", False),
        ("under 12 years", "under 14 years", False),
        ("on May 3", "on May 5", False),
        ("the top 5", "the top 10", False),
        ("Python 3", "Python 2.7", False),
        ("with frequency 60 Hz", "3,600 times at 60 Hz, with frequency 50 Hz 3,000", False),
        ("with frequency 60 Hz", "With frequency 50 Hz it turns 3,000 times", True),
        ("shed 3", "shed " + "1" * 5_000, True),
    ],
)
def test_what_is_of_another_number(question: str, about: str, is_another: bool) -> None:
    assert called_by_number.is_of_another_number(question, about, "") is is_another


def test_what_a_text_names_too_is_not_another() -> None:
    assert not called_by_number.is_of_another_number("shed 3", "shed 2", "The key of shed 3 opens it.")


@pytest.mark.parametrize(
    ("question", "about", "is_another"),
    [
        ("the total of F-2024-09", "Bill F-2024-11", True),
        ("the total of F-2024-11", "Bill F-2024-11", False),
        ("the rate of NF-TA 118", "Lease NF-TA 112, NF-TA 115", True),
        ("the rate of NF-TA 118", "Lease of a van", False),
        ("Rechnung 2024-013", "Rechnung 2024-021", True),
        ("what happened on 2024-08-03", "Log of 2024-08-04", False),
        ("since 2024-08", "until 2024-09", False),
        ("the claim PS-90417", "AE-90417", False),
    ],
)
def test_what_is_of_another_code(question: str, about: str, is_another: bool) -> None:
    assert called_by_number.is_of_another_code(question, about, "") is is_another


@pytest.mark.parametrize(
    ("question", "called", "is_another"),
    [
        ("the dues in 2019", "rules/Dues 2024.md", True),
        ("the dues in 2024", "rules/Dues 2024.md", False),
        ("the dues in 2019", "rules/Dues.md", False),
        ("the dues", "rules/Dues 2024.md", False),
        ("from 2019 to 2023", "rules/Dues 2024.md", False),
        ("invoice 2019-013", "Invoice 2024-013.pdf", False),
    ],
)
def test_what_is_of_another_year(question: str, called: str, is_another: bool) -> None:
    assert called_by_number.is_of_another_year(question, called, "") is is_another


@pytest.mark.parametrize(
    ("question", "asks_one"),
    [
        ("What is the phone number of Ada?", True),
        ("phone number Ada Brook", True),
        ("What is Ada's email address?", True),
        ("Wie lautet die Telefonnummer von Ada?", True),
        ("¿Cuál es el teléfono de Ada?", True),
        ("What is the IBAN of the club?", True),
        ("What is an IBAN?", False),
        ("Who checks the IBAN?", False),
        ("How do I validate an email address?", False),
        ("Where do I change my email address?", False),
        ("What is the phone number used for?", False),
        ("Which class parses phone numbers?", False),
    ],
)
def test_what_asks_how_somebody_is_reached(question: str, asks_one: bool) -> None:
    assert (called_by_number.asks_contact(question) is not None) is asks_one
