"""The mdoc(7) macros of the BSDs and OpenSSH, written as Markdown.

Most macros may be nested in the arguments of others. Punctuation as a separate argument joins its neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.extraction.rare.man.roff import Line
from biblicus.extraction.rare.man.written import Written

_CLOSING, _OPENING = frozenset(".,:;)]?!"), frozenset("([")
_ENCLOSED = {
    "Op": ("[", "]"), "Dq": ("“", "”"), "Sq": ("‘", "’"), "Qq": ('"', '"'), "Pq": ("(", ")"), "Bq": ("[", "]"),
    "Aq": ("<", ">"), "Brq": ("{", "}"), "Ql": ("‘", "’"),
}  # fmt: skip
_OPENED = {"Oo": "[", "Do": "“", "So": "‘", "Qo": '"', "Po": "(", "Bo": "[", "Ao": "<", "Bro": "{"}
_CLOSED = {"Oc": "]", "Dc": "”", "Sc": "’", "Qc": '"', "Pc": ")", "Bc": "]", "Ac": ">", "Brc": "}"}
_NAMES = """
Ad An Ap Ar Cd Cm Dv Em Er Ev Fa Fl Fn Fr Ft Ic In Lb Li Lk Lp Ms Mt Nd Nm No Ns Ot Pa Pf St Sx Sy Tn Va Vt Xr
"""
_SYSTEMS = {
    "Ux": "UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD", "Dx": "DragonFly", "At": "AT&T UNIX",
    "Bsx": "BSD/OS",
}  # fmt: skip
_WORDS = frozenset((*_NAMES.split(), *_SYSTEMS))
_CALLABLE = _WORDS | _ENCLOSED.keys() | _OPENED.keys() | _CLOSED.keys()
_ITEMS = {"-bullet": "•", "-dash": "-", "-hyphen": "-", "-item": "•", "-enum": "1."}


def read(lines: Iterator[Line], page: Written) -> None:
    """Write the lines of a page."""
    reading = _Reading(page)
    for line in lines:
        reading.read(line)
    page.end()


class _Reading:
    """State of the reader. `_lists`: kinds of the open lists; `_term`: pieces of an unfinished item's term."""

    def __init__(self, page: Written) -> None:
        self._page = page
        self._name = ""
        self._lists: list[str] = []
        self._numbers: list[int] = []
        self._term: list[str] | None = None
        self._spaced = True

    def read(self, line: Line) -> None:
        macro, args = line
        page = self._page
        if not macro:
            if line.text.strip():
                self._say([line.text])
            else:
                page.paragraph()
        elif macro == "Dt":
            page.title = f"{args[0].lower() if args[0].isupper() else args[0]}({args[1]})" if len(args) > 1 else ""
        elif macro in ("Sh", "Ss"):
            page.heading(" ".join(self._said(args)), 1 + (macro == "Ss"))
        elif macro in ("Pp", "Lp", "sp"):
            page.paragraph()
        elif macro == "Bl":
            page.end()
            self._lists.append(args[0] if args else "")
            self._numbers.append(0)
        elif macro == "El":
            page.end()
            if self._lists:
                self._lists.pop()
                self._numbers.pop()
        elif macro == "It":
            self._item(args)
        elif macro == "Xc":
            if self._term is not None:
                page.entry(_flowing(self._term))
                self._term = None
        elif macro == "Bd":
            page.end()
            if "-literal" in args or "-unfilled" in args:
                page.code(begins=True)
        elif macro == "Ed":
            page.end()
        elif macro in ("Dl", "D1"):
            page.end()
            page.code(begins=True)
            page.say(_flowing(self._said(args)))
            page.end()
        elif macro == "Nd":
            self._say(["–", *self._said(args)])
        elif macro == "Fd":
            self._say([" ".join(args)])
            page.paragraph()
        elif macro in ("Rv", "Ex"):
            self._say([_RETURNS[macro].format(" and ".join(args[1:]) or self._name)])
        elif macro == "Fo":
            self._say([f"{' '.join(args)}("])
        elif macro == "Fc":
            self._say([")", *args])
        elif macro.startswith("%"):
            self._say([*self._said(args), ","])
        elif macro in _CALLABLE or macro == "Xo":
            self._say(self._said((macro, *args) if macro != "Xo" else args))

    def _item(self, args: Sequence[str]) -> None:
        page, kind = self._page, self._lists[-1] if self._lists else ""
        if kind == "-column":
            cells, cell = [], list[str]()
            for arg in args:
                if arg == "Ta" or "\t" in arg:
                    cells.append(_flowing(self._said(cell)))
                    cell = []
                else:
                    cell.append(arg)
            page.row([*cells, _flowing(self._said(cell))])
        elif kind == "-enum":
            self._numbers[-1] += 1
            page.entry(f"{self._numbers[-1]}.")
        elif kind in _ITEMS:
            page.entry(_ITEMS[kind])
        elif "Xo" in args:
            page.end()
            self._term = self._said([arg for arg in args if arg != "Xo"])
        else:
            page.entry(_flowing(self._said(args)))

    def _say(self, said: Sequence[str]) -> None:
        if self._term is not None:
            self._term.extend(said)
        else:
            text = _flowing(said)
            self._page.say(text.removeprefix(_JOIN), joined=text.startswith(_JOIN) or text[:1] in _CLOSING)

    def _said(self, args: Sequence[str]) -> list[str]:
        """Return the words of a macro line's arguments with nested macros expanded."""
        expanded: list[str] = []
        closing: list[str] = []
        at = 0
        while at < len(args):
            arg = args[at]
            at += 1
            if arg not in _CALLABLE:
                expanded += [arg] if arg not in ("Xo", "Xc") else []
                continue
            following = []
            while at < len(args) and args[at] not in _CALLABLE:
                following.append(args[at])
                at += 1
            if arg in _ENCLOSED:
                opens, closes = _ENCLOSED[arg]
                expanded += [opens + _JOIN, *following]
                closing.append(_JOIN + closes)
            elif arg in _OPENED:
                expanded += [_OPENED[arg] + _JOIN, *following]
            elif arg in _CLOSED:
                expanded += [_JOIN + _CLOSED[arg], *following]
            else:
                expanded += self._word(arg, following)
        tail: list[str] = []
        while expanded and expanded[-1] in _CLOSING and closing:
            tail.insert(0, expanded.pop())
        return [*expanded, *reversed(closing), *tail]

    def _word(self, macro: str, args: list[str]) -> list[str]:
        """Expand one macro with its own arguments."""
        words = [arg for arg in args if arg not in _CLOSING | _OPENING]
        after = args[args.index(words[-1]) + 1 :] if words else args
        before = args[: args.index(words[0])] if words else []
        if macro == "Nm":
            self._name = self._name or " ".join(words)
            expanded = [" ".join(words) or self._name]
        elif macro == "Fl":
            expanded = [word if word == "|" else f"-{word}" for word in words] or ["-"]
        elif macro == "Ar":
            expanded = words or ["file", "..."]
        elif macro == "Xr":
            expanded = [f"{words[0]}({words[1]})" if len(words) > 1 else "".join(words)]
        elif macro == "Fn":
            expanded = [f"{words[0]}({', '.join(words[1:])})"] if words else []
        elif macro == "In":
            expanded = [f"<{''.join(words)}>"]
        elif macro in ("Ns", "Pf"):
            head, rest = ("".join(words[:1]), words[1:]) if macro == "Pf" else ("", words)
            expanded = [head + _JOIN, *rest] if head else [_JOIN, *rest]
        elif macro == "Ap":
            expanded = [f"{_JOIN}'{_JOIN}", *words]
        elif macro == "An" and words[:1] in (["-nosplit"], ["-split"]):
            expanded = words[1:]
        elif macro == "Lk":
            expanded = [f"{' '.join(words[1:])} <{words[0]}>".strip()] if words else []
        elif macro in _SYSTEMS:
            expanded = [" ".join((_SYSTEMS[macro], *words))]
        else:
            expanded = words
        return [*before, *expanded, *after]


_JOIN = "\ue000"
"""Mark between two words to be joined."""
_RETURNS = {
    "Ex": "The {} utility exits 0 on success, and >0 if an error occurs.",
    "Rv": "The {} function returns 0 on success; otherwise -1, and errno is set.",
}


def _flowing(said: Sequence[str]) -> str:
    """Join words into a sentence, without spaces around punctuation and join marks."""
    text = ""
    for word in said:
        if word == _JOIN:
            text = text.removesuffix(_JOIN) + _JOIN
            continue
        joins = word in _CLOSING or word.startswith(_JOIN) or text.endswith(_JOIN) or text[-1:] in _OPENING
        text = text.removesuffix(_JOIN) + ("" if joins or not text else " ") + word.removeprefix(_JOIN)
    return text.removesuffix(_JOIN) if said and not said[0].startswith(_JOIN) else _JOIN + text.removesuffix(_JOIN)
