"""What kinds of text are told by."""

import pytest

from biblicus.text import kinds, replies
from tests.sampling import each


def test_mail_is_what_replies_know():
    assert kinds.MAIL == replies.TYPES


@each(
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
        ("docs/functions.md", kinds.PLAIN),
        ("src/globals.ts", kinds.PLAIN),
        ("html/functions_a.html", kinds.NAVIGATION),
        ("docs/history.md", kinds.RELEASE),
        ("src/history.go", kinds.PLAIN),
        ("config/locales/de.yml", kinds.TRANSLATION),
        ("src/i18n/pt-BR/common.json", kinds.TRANSLATION),
        ("src/lang/parser.php", kinds.PLAIN),
        ("src/languages/go.js", kinds.PLAIN),
        ("src/lang/py/parser.js", kinds.PLAIN),
        ("lang/is.php", kinds.PLAIN),
        ("lang/is.json", kinds.TRANSLATION),
        ("docs/i18n/de/mooring.md", kinds.PLAIN),
        (".github/ISSUE_TEMPLATE/leak.md", kinds.WORKFLOW),
        (".github/CONTRIBUTING.md", kinds.PLAIN),
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


def test_sums_of_files_and_templates_are_known():
    sums = "".join(f'{{"name": "winch{at}.py", "sum": "{at:064x}"}}\n' for at in range(9))
    assert kinds.of("FILES.json", sums) == kinds.GENERATED
    assert kinds.of("boats.json", '{"name": "winch.py", "rope": "hemp"}') == kinds.PLAIN
    assert kinds.of("views/boat.html.erb", "<p><%= boat.name %> lies dry.</p>") == kinds.SOURCE


@pytest.mark.parametrize("path", ["complete/_haul", "share/completions/haul.fish", "etc/haul-completion.bash"])
def test_what_shells_complete_commands_by_is_a_program(path: str):
    assert kinds.of(path, "'--rope[haul by rope]'") == kinds.SOURCE
    assert kinds.of("docs/completions/haul.md", "# Haul") == kinds.of("complete/guide.txt", "Haul.") == kinds.PLAIN


@pytest.mark.parametrize("path", ["completion/README", "docs/completions/COPYING", "complete/notes/Makefile"])
def test_what_tells_of_completions_is_no_program(path: str):
    assert kinds.of(path, "Copy `_haul` to a folder of your shell.") != kinds.SOURCE


def test_release_notes_count_more_where_a_version_is_asked_for():
    assert kinds.worths("which version added the horn")[kinds.RELEASE] > 1.0
    assert kinds.worths("when was the horn added")[kinds.RELEASE] == 1.0
    assert kinds.worths("how loud is the horn")[kinds.RELEASE] < 1.0
