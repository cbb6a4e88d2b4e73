"""Formulas of Office (OMML) and MathML as one line of text: `1/2`, `10³`, `√(x+1)`."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.raised import lowered, raised

_DEEPEST = 40
_LEFT_OUT = frozenset(("annotation", "annotation-xml", "ctrlPr", "rPr"))
_OF_OFFICE = frozenset(("f", "sSup", "sSub", "sSubSup", "rad", "nary", "d"))
_SCRIPTS = frozenset(("sSup", "sSub", "sSubSup", "msup", "msub", "msubsup"))


def formula(element: Element, depth: int = 0) -> str:
    """Return a formula as text, without parts that are nested too deep."""
    tag = element.tag
    if depth > _DEEPEST or tag in _LEFT_OUT or tag.endswith("Pr"):
        return ""
    parts = [formula(child, depth + 1) for child in element if not child.tag.endswith("Pr")]
    named = {child.tag: formula(child, depth + 1) for child in element} if tag in _OF_OFFICE else {}
    if tag in ("f", "mfrac") and len(parts) > 1:
        return f"{_apart(named.get('num', parts[0]))}/{_apart(named.get('den', parts[1]))}"
    if tag in _SCRIPTS and len(parts) > 1:
        return _scripted(tag, named.get("e", parts[0]), parts)
    if tag in ("rad", "mroot", "msqrt"):
        return _root(tag, named, parts)
    if tag == "nary":
        return _nary(element, named)
    if tag in ("d", "mfenced"):
        return _fenced(element, parts)
    if tag in ("mr", "mtr", "mtable", "m", "eqArr"):
        return ("; " if tag in ("mtable", "m", "eqArr") else ", ").join(filter(None, parts))
    return "".join(parts) if len(element) else (element.text or "")


def _apart(text: str) -> str:
    """Return a part of a fraction, in brackets if it has several terms."""
    words = text.strip()
    return words if words.replace(".", "").replace(",", "").isalnum() else f"({words})"


def _scripted(tag: str, base: str, parts: Sequence[str]) -> str:
    if tag in ("sSup", "msup"):
        return base + _script("^", parts[-1])
    below = base + _script("_", parts[1])
    return below if len(parts) < 3 else below + _script("^", parts[2])


def _script(sign: str, text: str) -> str:
    words = text.strip()
    moved = raised(words) if sign == "^" else lowered(words)
    return moved if moved != words or not words else f"{sign}{words}" if len(words) == 1 else f"{sign}({words})"


def _root(tag: str, named: dict[str, str], parts: Sequence[str]) -> str:
    if tag == "rad":
        degree, inside = named.get("deg", ""), named.get("e", "")
    else:
        degree, inside = (parts[-1], parts[0]) if tag == "mroot" and len(parts) > 1 else ("", "".join(parts))
    return f"{raised(degree.strip())}√{_apart(inside)}"


def _nary(element: Element, named: dict[str, str]) -> str:
    sign = next((node.get("val", "") for node in element.iterfind("naryPr/chr")), "∫")
    below, above = named.get("sub", ""), named.get("sup", "")
    return sign + _script("_", below) + _script("^", above) + f" {named.get('e', '')}"


def _fenced(element: Element, parts: Sequence[str]) -> str:
    delimiters = {node.tag: node.get("val", "") for node in element.iterfind("dPr/*")}
    opening = delimiters.get("begChr", element.get("open", "("))
    return f"{opening}{', '.join(parts)}{delimiters.get('endChr', element.get('close', ')'))}"
