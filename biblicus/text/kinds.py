"""Files with words about another file's subject: tests, release notes, lock files, licences, generated text.

Search multiplies the scores of their chunks by less than 1 (`aside` in `retrieval/words/weights.json`). The tables
below decide by path only.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from functools import lru_cache

MAIL = ("message/rfc822", "application/mbox", "application/vnd.ms-outlook")
"""Same as `replies.TYPES`, without importing that module at query time."""

_TESTS = "test tests __tests__ _tests testdata"
_FOLDERS = """
    example examples sample samples benchmark benchmarks demos listings _templates
    release releases changelog changelogs release_notes release-notes releasenotes relnotes
    whatsnew whats_new whats-new newsfragments requirements deprecated obsolete licenses licences
    _sources _modules workflows .circleci issue_template issue_templates merge_request_templates
    class-use index-files
"""
_LOCALES = "locale locales _locales i18n l10n langs lang translations"
_SHOWN = (".yml", ".yaml", ".json", ".json5", ".properties", ".strings", ".resx", ".toml", ".xml")
"""Extensions of files in such folders that have a program's texts."""

# Names in lower case. A name without a dot may have any extension, unless it ends with `$`.
_NAMES = """
    test_* requirements requirements[._-]* *.lock package-lock.json pnpm-lock.yaml npm-shrinkwrap.json
    licen[cs]e licen[cs]es licen[cs]e[._-]* unlicense copying copying[._-]* copyright eula
    gpl gpl[._-]* lgpl lgpl[._-]* agpl agpl[._-]* fdl fdl[._-]* gfdl gfdl[._-]*
    print.html issue_template* pull_request_template* merge_request_template* conf.py
    *.po *.pot *.xlf *.xliff *.arb *.log *.log.1 *.err
"""
_GENERATED = """
    search*index*.js search*index*.json *-search-index.* *.min.js *.min.css *.js.map *.css.map *.bundle.js tags$
    gtags$ cscope.out *_pb2 *_pb2_grpc *.pb.go *.pb.gw.go *.pb.cc *.pb.h zz_generated* *.qhc *.qhp *.tagfile
    *.generated.* *_generated.* *.g.dart *.freezed.dart *.designer.cs
"""
_PAGES = """
    changes changelog* history news *[0-9][_-]news whatsnew* whats[_-]new* release[_-]notes* releasenotes*
    relnotes* rel[_-]notes* releases release[_-][0-9v]* deprecations version[0-9]* version[_-][0-9]* perl*delta
    contents toc perltoc bookindex genindex* modindex* py-modindex* ix0[0-9] sidebar _sidebar nav _nav *.svg
    *help[_-]index *author*[_-]index *command*[_-]index *concept*[_-]index *function*[_-]index *general*[_-]index
    *key*[_-]index *name*[_-]index *option*[_-]index *subject*[_-]index *variable*[_-]index index-all.html
    index-[0-9]*.html deprecated-list.html allclasses*.html allpackages*.html overview-*.html package-tree.html
    package-frame.html package-use.html constant-values.html functions.html functions_*.html globals.html
    globals_*.html annotated.html namespacemembers*.html
"""
"""Names of pages about other pages; source files are excluded: `history.go`."""
_PROGRAMS = "test-* tests[_-]* *[_-]test *[_-]tests *[_-]spec *.test *.tests *.spec conftest"
"""Names of tests; documents are excluded: `blood-test.txt`."""


@lru_cache(maxsize=4_096)
def is_aside(path: str) -> bool:
    """Return True if search ranks a file's chunks lower, as for tests, release notes or licences."""
    *folders, name = path.lower().split("/")
    if _is_in(_FOLDERS, folders) or (not name.startswith("readme") and _is_in(_TESTS, folders)):
        return True
    if name.endswith(_SHOWN) and _is_in(_LOCALES, folders):
        return True
    if _named(_NAMES + _GENERATED, name):
        return True
    if _named(_PROGRAMS, name):
        return _is_program(name)
    return _named(_PAGES, name) and not _is_program(name)


def is_generated(path: str) -> bool:
    """Return True for a file that a program generated for other programs."""
    return _named(_GENERATED, path.lower().rpartition("/")[2])


def _is_in(names: str, folders: Sequence[str]) -> bool:
    return not _set(names).isdisjoint(folders)


@lru_cache(maxsize=8)
def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _named(names: str, name: str) -> bool:
    return _pattern(names).fullmatch(name) is not None


@lru_cache(maxsize=8)
def _pattern(names: str) -> re.Pattern[str]:
    ends = [end for name in names.split() for end in _with_extensions(name)]
    anywhere, others = ([end for end in ends if end.startswith("*") == is_so] for is_so in (True, False))
    endings = "|".join(fnmatch.translate(end.lstrip("*")) for end in anywhere)  # looked for once, not once for each
    return re.compile("|".join((*map(fnmatch.translate, others), f"(?s:.*)(?:{endings})")))


def _with_extensions(name: str) -> tuple[str, ...]:
    is_whole = name.endswith("$") or "." in name.replace("._-", "").lstrip("*.")
    return (name.rstrip("$"),) if is_whole else (name, f"{name}.*")


def _is_program(name: str) -> bool:
    from biblicus.text import media  # lazy: few names need it

    return media.doctype(name, media.of_name(name) or "") == "code"
