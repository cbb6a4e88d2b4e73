"""The cited words of a document are marked, whatever kind of block they stand in."""

import re

import pytest

from biblicus.connectors.web.markdown import rendered

BLOCKS = {
    "paragraph": "The cited words.",
    "heading": "## The cited words",
    "underlined heading": "The cited words\n---------------",
    "item": "- one\n- The cited words\n- three",
    "item of two lines": "- one\n- begins with\n  The cited words\n- three",
    "item of a loose list": "- one\n\n- The cited words\n\n- three",
    "numbered item": "1. one\n2. The cited words\n3. three",
    "item of a list in a list": "- one\n  - The cited words\n- three",
    "item with a list below it": "- The cited words\n  - one\n  - two",
    "task": "- [ ] one\n- [x] The cited words",
    "second paragraph of an item": "- one\n\n  The cited words\n- three",
    "code in an item": "- one\n\n  ```\n  The cited words\n  ```\n- three",
    "quotation": "> one\n>\n> The cited words",
    "item of a quotation": "> - one\n> - The cited words",
    "quotation in an item": "- one\n  > The cited words",
    "row": "| a | b |\n|---|---|\n| one | two |\n| The cited words | four |",
    "names of columns": "| The cited words | b |\n|---|---|\n| one | two |",
    "fenced code": "```sh\nThe cited words\n```",
    "indented code": "    The cited words",
    "HTML": "<div>\nThe cited words\n</div>",
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_citation_is_marked_in_every_kind_of_block(kind: str):
    text = f"# Title\n\nBefore it.\n\n{BLOCKS[kind]}\n\nAfter it.\n"
    line = text[: text.index("The cited words")].count("\n") + 1
    html = str(rendered(text, (line, line), lambda path: path).html)
    marked = re.findall(r'<(\w+)[^>]*class="[^"]*\bcited\b[^"]*"[^>]*>(.*?)</\1>', html, re.DOTALL)
    assert len(marked) == 1, html
    assert "The cited words" in marked[0][1]
    assert not {"one", "three", "Before", "After"} & set(re.findall(r"\w+", marked[0][1])), "and nothing else is"
    assert html.count('id="mark"') == 1
