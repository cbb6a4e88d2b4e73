"""What is worth less than the page that says the same, and when it is not."""

import pytest

from biblicus.contracts import Call
from biblicus.models.question import Question
from biblicus.text import kinds
from tests.sampling import each

LINKS = "\n".join(f"- [Winch {n}](winch{n}.md)" for n in range(6))


@each(
    ("path", "text", "kind"),
    [
        ("docs/winch.md", "A winch winds in a rope.", kinds.PLAIN),
        (".github/workflows/ci.yml", "", kinds.WORKFLOW),
        ("src/winch_pb2.pyi", "", kinds.GENERATED),
        ("src/winch.pb.go", "", kinds.GENERATED),
        ("src/tests/test_winch.py", "", kinds.TEST),
        ("src/winch_test.go", "", kinds.TEST),
        ("src/winch/_tests/rope.py", "", kinds.TEST),
        ("src/winch.spec.ts", "", kinds.TEST),
        ("spec/winch.md", "", kinds.PLAIN),
        ("docs/testing/overview.md", "", kinds.PLAIN),
        ("src/latest.py", "", kinds.PLAIN),
        ("examples/winch.py", "", kinds.EXAMPLE),
        ("howto/listings/winch.py", "", kinds.EXAMPLE),
        ("history/changelog-1.0.rst", "", kinds.RELEASE),
        ("notes/release_2.8.2.rst", "", kinds.RELEASE),
        ("docs/releasenotes/9.2.0.rst", "", kinds.RELEASE),
        ("docs/whats_new/v1.2.rst", "", kinds.RELEASE),
        ("docs/2014-news.md", "", kinds.RELEASE),
        ("docs/relnotes-7.txt", "", kinds.RELEASE),
        ("docs/deprecations.rst", "", kinds.RELEASE),
        ("docs/version7.txt", "", kinds.RELEASE),
        ("docs/version-control.md", "", kinds.PLAIN),
        ("docs/newsletter.md", "", kinds.PLAIN),
        ("docs/release-process.md", "", kinds.PLAIN),
        ("guide/history-of-the-winch.md", "", kinds.PLAIN),
        ("guide/releasing.md", "", kinds.PLAIN),
        ("CHANGELOG.md", "", kinds.RELEASE),
        ("doc/release/3.0.rst", "", kinds.RELEASE),
        ("doc/deprecated/winch.rst", "", kinds.SUPERSEDED),
        ("web/package-lock.json", "", kinds.LOCK),
        ("Cargo.lock", "", kinds.LOCK),
        ("requirements-dev.txt", "", kinds.LOCK),
        ("docs/toc.md", "", kinds.NAVIGATION),
        ("html/genindex-A.html", "", kinds.NAVIGATION),
        ("html/ix01.html", "", kinds.NAVIGATION),
        ("cars/ix35.md", "", kinds.PLAIN),
        ("de/editor-help-index.html", "", kinds.NAVIGATION),
        ("html/bookindex.html", "", kinds.NAVIGATION),
        ("html/ch-option_index.html", "", kinds.NAVIGATION),
        ("html/function-index.html", "", kinds.NAVIGATION),
        ("html/index.html", "", kinds.PLAIN),
        ("api/index-all.html", "", kinds.NAVIGATION),
        ("api/org/harbour/class-use/Slip.html", "", kinds.NAVIGATION),
        ("api/member-search-index.js", "", kinds.GENERATED),
        ("html/functions_func_s.html", "", kinds.NAVIGATION),
        ("book/print.html", "", kinds.COPY),
        ("html/_modules/fleet.html", "", kinds.COPY),
        ("docs/print.md", "", kinds.PLAIN),
        ("html/_sources/winch.rst.txt", "", kinds.COPY),
        ("docs/search-index.md", "", kinds.PLAIN),
        ("LICENSE-MIT", "", kinds.LICENCE),
        ("COPYING.LESSER", "", kinds.LICENCE),
        ("guide/fdl-section4.html", "", kinds.LICENCE),
        ("licenses/zlib.txt", "", kinds.LICENCE),
        ("docs/licensing.md", "", kinds.PLAIN),
        ("html/glossary.html", "", kinds.GLOSSARY),
        ("site/searchindex.js", "", kinds.GENERATED),
        ("site/jquery.min.js", "", kinds.GENERATED),
        ("doc/tags", "", kinds.GENERATED),
        ("doc/tags.md", "", kinds.PLAIN),
        ("locale/de/LC_MESSAGES/winch.po", "", kinds.TRANSLATION),
        ("drawings/winch.svg", "", kinds.NAVIGATION),
        ("data/run.out", "0.1234 0.5678 1e-05\n" * 20, kinds.GENERATED),
        ("data/run.out", "0.1234 0.5678", kinds.PLAIN),
        ("data/zh.txt", "潮水退去，船停在沙上。" * 20, kinds.PLAIN),
        ("docs/winches.md", f"# See also\n\n{LINKS}", kinds.NAVIGATION),
        ("winch.pdf", "\n".join(f"{n}. Drum ............ {n + 20}" for n in range(6)), kinds.NAVIGATION),
        ("winch.pdf", "\n".join(f"Drum of a boat, {n}. Then ...." for n in range(6)) + 9 * "\nText", kinds.PLAIN),
        ("docs/winches.md", LINKS + " A winch that has a drum winds in a rope. " * 4, kinds.PLAIN),
        ("docs/index.rst", "Winches\n=======\n\n.. toctree::\n\n   drum\n   brake", kinds.NAVIGATION),
        ("docs/drum.txt", "Drum\n====\n\n.. automodule:: winch.drum\n   :members:", kinds.NAVIGATION),
        ("docs/drum.rst", f"Drum\n====\n\n{'It turns. ' * 9}\n\n.. automodule:: winch.drum", kinds.PLAIN),
    ],
)
def test_the_kind_of_a_chunk(path, text, kind):
    assert kinds.of(path, text) == kind


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("how does the winch wind", [1, 0]),
        ("how do I test the winch", [1, 0]),
    ],
)
def test_a_page_comes_before_its_test(read, chunk, question, order):
    chunks = [
        chunk(0, "winch winds winch", path="tests/winch.py"),
        chunk(1, "the winch winds", path="winch.py"),
    ]
    hits = read(chunks).search(Question(question, {"en": 1.0}), None, 2, Call())
    assert [hit.row for hit in hits] == order


@each(
    ("question", "worth"),
    [
        ("how do I wind a rope", 0.75),
        ("handle a wet rope", 0.75),
        ("give a winch a new rope", 0.75),
        ("handle rope", 1.0),
        ("is a rope handled", 1.0),
        ("how does a winch wind", 1.0),
        ("what winds a rope", 1.0),
        ("which class calculates the pull of a rope", 1.25),
        ("function that winds a rope", 1.25),
        ("where is the pull of a rope computed", 1.25),
        ("which function does a winch have", 1.0),
        ("where is the rope stored", 1.0),
        ("which file formats are read", 1.0),
        ("what function keys does a winch have", 1.0),
    ],
)
def test_how_people_do_something_is_told_in_pages_before_programs(question, worth):
    kind = kinds.of("src/winch.py", "def wind(rope): ...", media_type="text/x-python")
    assert kinds.worths(question)[kind] == worth


@pytest.mark.parametrize(
    ("question", "kind", "worth"),
    [
        ("how do I run the tests", kinds.TEST, 0.55),
        ("which tests run first", kinds.TEST, 1.0),
        ("How do I disable a test?", kinds.TEST, 0.55),
        ("What is a nested test?", kinds.TEST, 0.55),
        ("which test covers the winch", kinds.TEST, 1.5),
        ("is there a test for the winch", kinds.TEST, 1.5),
        ("where is the winch tested", kinds.TEST, 1.5),
        ("what changed in version 2.0", kinds.RELEASE, 1.0),
        ("what changed in version 2.0", kinds.LOCK, 0.5),
        ("which version of the winch is locked", kinds.LOCK, 1.0),
    ],
)
def test_what_is_done_and_what_a_version_brought_asks_for_its_kind_alone(question, kind, worth):
    assert kinds.worths(question)[kind] == worth


def test_each_kind_has_its_own_worth():
    for kind, (worth, asked) in kinds.KINDS.items():
        assert kinds.worths("how does a long winch wind its rope")[kind] == worth
        for word in asked:
            assert kinds.worths(f"where in the harbour is the {word} of a winch")[kind] == 1


def test_the_best_are_found_behind_many_that_are_worth_less(read, chunk):
    tests = [chunk(row, "winch winch rope", path=f"tests/{row}.py") for row in range(100)]
    pages = [chunk(100 + row, "the winch", path=f"{row}.md") for row in range(3)]
    hits = read([*tests, *pages]).search(Question("winch", {"en": 1.0}), None, 3, Call())
    assert [hit.row for hit in hits] == [100, 101, 102]
