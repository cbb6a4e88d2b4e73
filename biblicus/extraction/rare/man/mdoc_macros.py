"""The mdoc(7) macros of the BSDs and OpenSSH, written as Markdown.

Most macros may be nested in the arguments of others. Punctuation as a separate argument joins its neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from biblicus.extraction.rare.man.roff import Line, Written

_CLOSING, _OPENING = frozenset(".,:;)]?!"), frozenset("([")
_JOIN = "\ue000"
"""Mark between two words to be joined."""
_PAIRS = {"O": "[]", "D": "“”", "S": "‘’", "Q": '""', "P": "()", "B": "[]", "A": "<>", "Br": "{}"}
"""Signs around a text by the beginning of their macros: `Dq` for the line, `Do` and `Dc` for its start and end."""
_ENCLOSED = {"Ql": "‘’", "Op": "[]", **{f"{name}q": pair for name, pair in _PAIRS.items() if name != "O"}}
_OPENED = {f"{name}o": pair[0] for name, pair in _PAIRS.items()}
_CLOSED = {f"{name}c": pair[1] for name, pair in _PAIRS.items()}
_SYSTEMS = {
    "Ux": "UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD", "Dx": "DragonFly", "At": "AT&T UNIX",
    "Bsx": "BSD/OS",
}  # fmt: skip
_AS_WRITTEN = "Ad Cd Cm Dv Em Er Ev Fa Fr Ft Ic Lb Li Lp Ms Mt Nd Nm No Ot Pa St Sx Sy Tn Va Vt"
_SHOWN: Mapping[str, Callable[[list[str]], list[str]]] = {
    **dict.fromkeys(_AS_WRITTEN.split(), list),
    **dict.fromkeys(_SYSTEMS, lambda words: [" ".join(words)]),
    "An": lambda words: words[1:] if words[:1] in (["-nosplit"], ["-split"]) else words,
    "Ap": lambda words: [f"{_JOIN}'{_JOIN}", *words],
    "Ar": lambda words: words or ["file", "..."],
    "Fl": lambda words: [word if word == "|" else f"-{word}" for word in words] or ["-"],
    "Fn": lambda words: [f"{words[0]}({', '.join(words[1:])})"] if words else [],
    "In": lambda words: [f"<{''.join(words)}>"],
    "Lk": lambda words: [f"{' '.join(words[1:])} <{words[0]}>".strip()] if words else [],
    "Ns": lambda words: [_JOIN, *words],
    "Pf": lambda words: ["".join(words[:1]) + _JOIN, *words[1:]],
    "Xr": lambda words: [f"{words[0]}({words[1]})" if len(words) > 1 else "".join(words)],
}
"""Macros within a text, each with the words that it shows for its arguments."""
_CALLABLE = _SHOWN.keys() | _ENCLOSED.keys() | _OPENED.keys() | _CLOSED.keys()
_ITEMS = {"-bullet": "•", "-dash": "-", "-hyphen": "-", "-item": "•"}


def read(lines: Iterator[Line], page: Written) -> None:
    """Write the lines of a page."""
    reading = _Reading(page)
    for line in lines:
        reading.read(line)
    page.end()


class _Reading:
    """State of the reader. `_lists`: kind and number of items of each open list; `_term`: pieces of an open term."""

    def __init__(self, page: Written) -> None:
        self._page = page
        self._name = ""
        self._lists: list[tuple[str, int]] = []
        self._term: list[str] | None = None

    def read(self, line: Line) -> None:
        (macro, args), page = line, self._page
        match macro:
            case "" if not line.text.strip():
                page.paragraph()
            case "":
                self._say(args)
            case "Dt":
                page.title = f"{args[0].lower() if args[0].isupper() else args[0]}({args[1]})" if len(args) > 1 else ""
            case "Sh" | "Ss":
                page.heading(" ".join(self._shown(args)), 1 + (macro == "Ss"))
            case "Pp" | "Lp" | "sp":
                page.paragraph()
            case "Bl":
                page.end()
                self._lists.append(("".join(args[:1]), 0))
            case "El":
                page.end()
                del self._lists[-1:]
            case "It":
                self._item(args)
            case "Xc" if self._term is not None:
                page.entry(_flowing(self._term))
                self._term = None
            case "Bd" if "-literal" in args or "-unfilled" in args:
                page.code(begins=True)
            case "Bd" | "Ed":
                page.end()
            case "Dl" | "D1":
                page.code(begins=True)
                page.say(_flowing(self._shown(args)))
                page.end()
            case "Nd":
                self._say(["–", *self._shown(args)])
            case "Fd":
                self._say([line.text])
                page.paragraph()
            case "Rv" | "Ex":
                self._say([_RETURNS[macro].format(" and ".join(args[1:]) or self._name)])
            case "Fo":
                self._say([f"{line.text}("])
            case "Fc":
                self._say([")", *args])
            case "Xo":
                self._say(self._shown(args))
            case _ if macro in _CALLABLE:
                self._say(self._shown((macro, *args)))
            case _ if macro.startswith("%"):
                self._say([*self._shown(args), ","])

    def _item(self, args: Sequence[str]) -> None:
        page, (kind, number) = self._page, self._lists[-1] if self._lists else ("", 0)
        if kind == "-column":
            cells: list[list[str]] = [[]]
            for arg in args:
                if arg == "Ta" or "\t" in arg:
                    cells.append([])
                else:
                    cells[-1].append(arg)
            page.row([_flowing(self._shown(cell)) for cell in cells])
        elif kind == "-enum":
            self._lists[-1] = kind, number + 1
            page.entry(f"{number + 1}.")
        elif kind in _ITEMS:
            page.entry(_ITEMS[kind])
        elif "Xo" in args:
            page.end()
            self._term = self._shown([arg for arg in args if arg != "Xo"])
        else:
            page.entry(_flowing(self._shown(args)))

    def _say(self, words: Sequence[str]) -> None:
        if self._term is not None:
            self._term.extend(words)
        else:
            text = _flowing(words)
            self._page.say(text.removeprefix(_JOIN), joined=text.startswith(_JOIN) or text[:1] in _CLOSING)

    def _shown(self, args: Sequence[str]) -> list[str]:
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
                expanded += [_ENCLOSED[arg][0] + _JOIN, *following]
                closing.append(_JOIN + _ENCLOSED[arg][1])
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
        """Expand one macro with its own arguments; punctuation stays around them."""
        words = [arg for arg in args if arg not in _CLOSING | _OPENING]
        after = args[args.index(words[-1]) + 1 :] if words else args
        before = args[: args.index(words[0])] if words else []
        shown = _SHOWN[macro]([_SYSTEMS[macro], *words] if macro in _SYSTEMS else words)
        if macro == "Nm":
            self._name = self._name or " ".join(words)
            shown = [" ".join(words) or self._name]
        return [*before, *shown, *after]


_RETURNS = {
    "Ex": "The {} utility exits 0 on success, and >0 if an error occurs.",
    "Rv": "The {} function returns 0 on success; otherwise -1, and errno is set.",
}


def _flowing(words: Sequence[str]) -> str:
    """Join words into a sentence, without spaces around punctuation and join marks."""
    text = ""
    for word in words:
        if word == _JOIN:
            text = text.removesuffix(_JOIN) + _JOIN
            continue
        joins = word in _CLOSING or word.startswith(_JOIN) or text.endswith(_JOIN) or text[-1:] in _OPENING
        text = text.removesuffix(_JOIN) + ("" if joins or not text else " ") + word.removeprefix(_JOIN)
    return text.removesuffix(_JOIN) if words and not words[0].startswith(_JOIN) else _JOIN + text.removesuffix(_JOIN)
