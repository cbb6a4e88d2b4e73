"""Paths tell which files contain the words of what other files are about."""

import pytest

from biblicus.text import kinds, replies

ASIDE = """
    .github/workflows/ci.yml src/winch_pb2.pyi src/winch.pb.go src/tests/test_winch.py src/winch_test.go
    src/winch/_tests/rope.py src/winch.spec.ts examples/winch.py howto/listings/winch.py
    history/changelog-1.0.rst notes/release_2.8.2.rst docs/releasenotes/9.2.0.rst docs/whats_new/v1.2.rst
    docs/2014-news.md docs/relnotes-7.txt docs/deprecations.rst docs/version7.txt CHANGELOG.md
    doc/release/3.0.rst doc/deprecated/winch.rst web/package-lock.json Cargo.lock requirements-dev.txt
    docs/toc.md html/genindex-A.html html/ix01.html de/editor-help-index.html html/bookindex.html
    html/ch-option_index.html html/function-index.html api/index-all.html api/org/harbour/class-use/Slip.html
    api/member-search-index.js html/functions_func_s.html book/print.html html/_modules/fleet.html
    html/_sources/winch.rst.txt LICENSE-MIT COPYING.LESSER guide/fdl-section4.html licenses/zlib.txt
    site/searchindex.js site/jquery.min.js doc/tags locale/de/LC_MESSAGES/winch.po drawings/winch.svg
    src/test_winch.py src/test-winch.c src/winch-tests.js tests/winch.md examples/tests/README.md
    docs/test_winch.rst html/functions_a.html docs/history.md config/locales/de.yml src/i18n/pt-BR/common.json
    lang/is.json .github/ISSUE_TEMPLATE/leak.md
"""
PAGES = """
    spec/winch.md docs/testing/overview.md src/latest.py docs/version-control.md docs/newsletter.md
    docs/release-process.md guide/history-of-the-winch.md guide/releasing.md cars/ix35.md html/index.html
    docs/print.md docs/search-index.md docs/licensing.md html/glossary.html doc/tags.md tests/README.md
    tests/README docs/endpoint-test.rst docs/winch-spec.md src/testing.py docs/functions.md src/globals.ts
    src/history.go src/lang/parser.php src/languages/go.js src/lang/py/parser.js lang/is.php
    docs/i18n/de/mooring.md .github/CONTRIBUTING.md notes/blood_tests.txt notes/blood-test.txt
    notes/tests-2024.csv notes/tests_2024.tsv notes/lab-tests.xlsx notes/test-drive.txt notes/lab-tests.json
    notes/lab.tests.doc notes/test-drive.pptx notes/the-test.epub notes/lab-tests.ipynb notes/test-drive.eml
    notes/winch-spec.rtf
"""


def test_mail_is_what_replies_know():
    assert kinds.MAIL == replies.TYPES


@pytest.mark.parametrize(("paths", "is_aside"), [(ASIDE, True), (PAGES, False)])
def test_pages_tell_of_tests_and_programs_are_some(paths, is_aside):
    assert [path for path in paths.split() if kinds.is_aside(path) != is_aside] == []


def test_what_programs_write_for_programs_is_generated():
    assert kinds.is_generated("src/winch.pb.go")
    assert not kinds.is_generated("src/winch.go")
