"""Patterns of reStructuredText fields, directives and invisible content."""

from __future__ import annotations

import re

FIELD = re.compile(
    r"[ \t]{0,3}:(?!(?:param\w*|arg\w*|key\w*|type|returns?|rtype|raises?|except\w*|yields?|[ic]?var\w*|attr\w*"
    r"|meta)\b)"
    r"[^\W\d_][\w -]{0,40}:(?:[ \t]|$)"
)
TELLING = re.compile(r"[ \t]{0,3}:[^\s:][^:\n]{0,60}:(?:[ \t]+\S+){3}")
"""A field with a sentence: `:Exit code 5: No tests were collected`."""
DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+[\w:.+-]+::")
OF_CODE = re.compile(
    r"[ \t]*\.\.[ \t]+(?:[a-z0-9_-]+:)?(?:code|code-block|sourcecode|parsed-literal|literalinclude|prompt|console"
    r"|terminal|shell|command-output|program-output|i?python3?|jupyter-execute|doctest"
    r"|test(?:code|output|setup|cleanup)|highlight)::"
)
"""Directives whose content is code."""
OF_NOTHING = re.compile(
    r"[ \t]*\.\.[ \t]+(?:[a-z0-9_-]+:)?(?:math|graphviz|(?:di)?graph|inheritance-diagram|mermaid|uml|plot|raw"
    r"|productionlist|csv-table|image|figure|toctree|include|contents|index|meta|tabularcolumns|bibliography|replace"
    r"|unicode|auto\w+|click|argparse|hlist|list-table)::"
)
"""Directives whose content is no prose: formulas, images, tables of contents, inclusions."""
COMMENT = re.compile(r"[ \t]*\.\.[ \t]+(?![\w:.+-]+::)\S")
"""Invisible constructs: a comment, target or footnote with its indented content."""
OPTION = re.compile(r"[ \t]+:[\w-]+:(?:[ \t]|$)")
LITERAL = re.compile(r"::[ \t]*$")
