"""Documentation tags in source comments: Javadoc, Doxygen, C# XML, JSDoc, LDoc, RDoc, rustdoc."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PARAMETER = "[tc]?param|typeparam|template|arg|property|prop|field|string|number|int|bool|tab|func"
_SAYS = (
    "t?returns?|retval|result|yields?|throws?|exception|raises?|deprecated|warning|note|attention|remarks?|pre|post"
    "|invariant|apiNote|implSpec|implNote"
)
_ELSEWHERE = (
    "see|sa|since|author|version|link|file|module|classmod|package|namespace|ingroup|addtogroup|defgroup|name|usage"
    "|override|inheritdoc|within|serial|category|internal|private|public|api|nodoc|copydoc|par|anchor"
)
_TAG = re.compile(
    rf"[ \t]*(?:[@\\](?:(?P<parameter>{_PARAMETER})|(?P<says>{_SAYS})|(?P<elsewhere>{_ELSEWHERE}))"
    r"(?:\[[\w, =]*\])?(?![\w(])|<(?P<element>param|typeparam|returns|exception|value|permission|seealso|inheritdoc)\b)"
)
_EXAMPLE = re.compile(r"<pre\b|[@\\](?:code|verbatim)\b|<code>[ \t]*$", re.IGNORECASE)
_EXAMPLE_ENDS = re.compile(r"</pre>|[@\\]end(?:code|verbatim)\b|</code>", re.IGNORECASE)
_INLINE = re.compile(r"\{@(\w+)\s*((?:[^{}]|\{[^{}]*\}){0,600})\}")
_ARGUMENTS = re.compile(r"\([^()]*\)")
_REFERENCE = re.compile(
    r"<(?:see|seealso|paramref|typeparamref)\s[^<>]{0,20}?(?:cref|langword|name|href)=\"(?:[A-Z]:)?([^\"<>]{1,300})\"\s*"
    r"(?:/>|>([^<>]{0,300})</(?:see|seealso)>)"
)
_NAMED = re.compile(r"<(?:typeparam|param|exception)\s[^<>]{0,20}?(?:name|cref)=\"(?:[A-Z]:)?([^\"<>]{1,200})\"[^<>]*>")
_RESULT = re.compile(r"<(returns|value)>\s*")
_ELEMENT = re.compile(
    r"</?(?:summary|remarks|para|returns|value|c|item|term|description|list|example|exception|typeparam|param"
    r"|inheritdoc)\b[^<>]{0,200}>"
)
_STYLE = re.compile(
    r"(?<![\w\\@])[@\\](?:brief|short|c|p|a|e|em|b|ref|details?|li|n|copybrief|desc(?:ription)?|summary)(?![\w(])[ \t]*"
)
_MONOSPACED = re.compile(r"(?<![\w+])\+([\w:.#?!]+)\+(?![\w+])")
_LINKED = re.compile(r"\[(`[^`\n]{1,200}`)\](?![\[(:])")
_TYPE = re.compile(r"\A\{[^{}]{0,200}\}\s*")
_OPTIONAL = re.compile(r"\[([\w.$]+).*\]")
_SAYING = re.compile(r"\At(?=return)")
_DASH = re.compile(r"[-:]\s+")


def is_apart(line: str) -> bool | None:
    """Return True for a comment line that describes a parameter, result or exception, False for other tags, else
    None."""
    if (tag := _TAG.match(line)) is None:
        return None
    return not tag["elsewhere"] and tag["element"] not in ("seealso", "inheritdoc")


def examples(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of code lines in comments."""
    shown: set[int] = set()
    begun = -1
    for at, line in enumerate(lines):
        if begun >= 0:
            if _EXAMPLE_ENDS.search(line):
                shown.update(range(begun + 1, at))
                begun = -1
        elif (begins := _EXAMPLE.search(line)) and not _EXAMPLE_ENDS.search(line, begins.end()):
            begun = at
    return frozenset(shown)


def without_tags(text: str) -> str:
    """Return a comment without tags: `{@code x}` and `<see cref="x"/>` as their content, parameters as name and
    text."""
    if "<" in text:
        text = _REFERENCE.sub(lambda match: match[2] or _last_name(match[1]), text)
        text = _RESULT.sub(r"\1: ", _NAMED.sub(lambda match: f"{_last_name(match[1])}: ", text))
        text = _ELEMENT.sub("", text)
    if "@" in text or "\\" in text:
        text = _INLINE.sub(_shown, _INLINE.sub(_shown, text))
        if tag := _TAG.match(text):
            description = _TYPE.sub("", text[tag.end() :].lstrip(), count=1)
            text = (
                _of_parameter(description)
                if tag["parameter"]
                else f"{_SAYING.sub('', tag['says'])}: {description}"
                if tag["says"]
                else text
            )
        text = _STYLE.sub("", text)
    if "+" in text:
        text = _MONOSPACED.sub(r"\1", text)
    return _LINKED.sub(r"\1", text) if "[`" in text else text


def _shown(tag: re.Match[str]) -> str:
    """Return the displayed text of an inline Javadoc tag."""
    if tag[1] in ("link", "linkplain", "tutorial"):
        together = _ARGUMENTS.sub(lambda arguments: "".join(arguments[0].split()), " ".join(tag[2].split()))
        name, _, label = together.partition(" ")
        return label or name.lstrip("#").replace("#", ".").replace(",", ", ")
    return "" if tag[1] in ("inheritDoc", "docRoot", "index") else tag[2].strip()


def _of_parameter(said: str) -> str:
    """Return `boat: what hauls it` for `[boat=null] - what hauls it`."""
    name, _, tells = said.partition(" ")
    optional = _OPTIONAL.fullmatch(name)
    tells = _DASH.sub("", tells.strip(), count=1)
    return f"{optional[1] if optional else name}: {tells}" if tells else name


def _last_name(name: str) -> str:
    """Return `Add(int)` for `System.Collections.List.Add(int)`."""
    before, bracket, arguments = name.partition("(")
    return before.rpartition(".")[2].replace("{", "<").replace("}", ">") + bracket + arguments
