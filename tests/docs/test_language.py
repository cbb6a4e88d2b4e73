"""The language check finds what it should, and its counts only fall (`tools/language.json`)."""

import json
from pathlib import Path

from tests.sampling import each
from tools import language

MOST: dict[str, int] = json.loads((language.ROOT / "tools" / "language.json").read_text("utf-8"))


@each("check", language.CHECKS)
def test_no_check_finds_more_than_before(check: str) -> None:
    found = language.CHECKS[check]()
    listed = "\n".join(f"{place}: {text.splitlines()[0]}" for place, text in found[-20:])
    assert len(found) <= MOST[check], f"`python -m tools.language -v` lists all; write the new ones plainly:\n{listed}"


def test_a_docstring_that_opens_a_riddle_is_found(tmp_path: Path) -> None:
    module = tmp_path / "package" / "module.py"
    module.parent.mkdir()
    module.write_text('"""Return nothing."""\n\nLEAST = 1\n"""What is held at least."""\n', "utf-8")
    assert language.riddles(module.parent) == [("package/module.py:4", "What is held at least.")]


def test_a_long_sentence_is_found_and_code_is_not_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```\n{'code ' * 40}\n```\n\nShort.\n\n{'word ' * 31}end.\n", "utf-8")
    assert [len(sentence.split()) for _place, sentence in language.long_sentences([page])] == [32]
