"""How reStructuredText marks fields, directives and what it shows nobody."""

from __future__ import annotations

import re

FIELD = re.compile(
    r"[ \t]{0,3}:(?!(?:param\w*|arg\w*|key\w*|type|returns?|rtype|raises?|except\w*|yields?|[ic]?var\w*|attr\w*"
    r"|meta)\b)"
    r"[^\W\d_][\w -]{0,40}:(?:[ \t]|$)"
)
TELLING = re.compile(r"[ \t]{0,3}:[^\s:][^:\n]{0,60}:(?:[ \t]+\S+){3}")
"""A field of reStructuredText that says something: `:Exit code 5: No tests were collected`."""
DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+[\w:.+-]+::")
OF_CODE = re.compile(
    r"[ \t]*\.\.[ \t]+(?:[a-z0-9_-]+:)?(?:code|code-block|sourcecode|parsed-literal|literalinclude|prompt|console"
    r"|terminal|shell|command-output|program-output|i?python3?|jupyter-execute|doctest"
    r"|test(?:code|output|setup|cleanup)|highlight)::"
)
"""Directives of reStructuredText under which code stands."""
OF_NOTHING = re.compile(
    r"[ \t]*\.\.[ \t]+(?:[a-z0-9_-]+:)?(?:math|graphviz|(?:di)?graph|inheritance-diagram|mermaid|uml|plot|raw"
    r"|productionlist|csv-table|image|figure|toctree|include|contents|index|meta|tabularcolumns|bibliography|replace"
    r"|unicode|auto\w+|click|argparse|hlist|list-table)::"
)
"""Those under which nothing stands that reads as text: formulas, pictures, places to see, texts from elsewhere."""
COMMENT = re.compile(r"[ \t]*\.\.[ \t]+(?![\w:.+-]+::)\S")
"""What reStructuredText shows nobody there: a comment, a target, a footnote; what stands further in belongs to it."""
OPTION = re.compile(r"[ \t]+:[\w-]+:(?:[ \t]|$)")
LITERAL = re.compile(r"::[ \t]*$")
