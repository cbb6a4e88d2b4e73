"""What kinds of text are told by."""

import pytest

from biblicus.text import kinds, replies


def test_mail_is_what_replies_know():
    assert kinds._MAIL == replies.TYPES


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/test_winch.py", kinds.TEST),
        ("src/test-winch.c", kinds.TEST),
        ("src/winch-tests.js", kinds.TEST),
        ("src/winch.spec.ts", kinds.TEST),
        ("tests/winch.md", kinds.TEST),
        ("tests/README.md", kinds.PLAIN),
        ("tests/README", kinds.PLAIN),
        ("examples/tests/README.md", kinds.EXAMPLE),
        ("docs/endpoint-test.rst", kinds.PLAIN),
        ("docs/winch-spec.md", kinds.PLAIN),
        ("docs/test_winch.rst", kinds.TEST),
        ("src/testing.py", kinds.PLAIN),
        *(
            (f"notes/{name}", kinds.PLAIN)
            for name in (
                *("blood_tests.txt", "blood-test.txt", "tests-2024.csv", "tests_2024.tsv", "lab-tests.xlsx"),
                *("test-drive.txt", "lab-tests.json", "lab.tests.doc", "test-drive.pptx", "the-test.epub"),
                *("lab-tests.ipynb", "test-drive.eml", "winch-spec.rtf"),
            )
        ),
    ],
)
def test_pages_tell_of_tests_and_programs_are_some(path, kind):
    assert kinds.of_path(path) == kind
