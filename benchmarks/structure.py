"""Questions whose places are known from the structure of a folder's own HTML, Markdown, reStructuredText, AsciiDoc
and Org.

`python -m benchmarks.structure FOLDER [COUNT] [-v]`, where FOLDER is an indexed corpus. Kinds of questions:

* `terms`, `names`: entries of lists of terms (`<dt>`, `term::`, `- term ::`) and of directives. Of a glossary "What is
  a TERM?", else "what does NAME do". Asked is for the page, and for the first sentence of the entry in the answer.
* `wordings`: the same names, by themselves or in words that only ask: "when should I use NAME".
* `links`: what links to one page alone are called, in words that its title does not have. Asked is for the page.
* `titles`: what one page alone is called. Asked is for the page.
* `items`, `files`, `numbers`: of any corpus, what one item alone is called, what one file alone is called, and that as
  people say it where it is a word with a number ("PEP 8" of `pep-0008.rst`). Asked is for the item.
* `heads`: who wrote such a numbered item, when, and its status, where it begins with lines that say so.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from biblicus.answering.reader.reading.readable import readable
from biblicus.connectors.python import Corpus
from biblicus.text.headings import ENTRIES

_SEED = 7
_SURE = 0.6
_SAME = 60
"""Letters of a sentence by which it is known in an answer."""
_LEADS = 40
"""Letters before it at most, for an answer that leads with it."""
_SENTENCE = range(6, 46)
_NAME = re.compile(r"(?:class |async |static |classmethod |@)*((?:--)?[A-Za-z_][\w.-]{4,})\s?(?:[(=,]|$|[A-Z<\[{])")
_WORDINGS = (
    "{}", "how does {} work", "when should I use {}", "what is the default of {}", "why would I need {}?",
    "what does {} turn on",
)  # fmt: skip
_TERM = re.compile(r"[A-Za-z][\w -]{2,40}")
_LISTED = {
    ".adoc": re.compile(
        r"^(?:\[\[[^\]]*\]\])?([^\s:/|][^\n]*?[^\s:])(?:::|;;)(?:[ \t]+|\n(?:[ \t]*\n)?[ \t]*)(?=[^\s+])((?:.+\n?)+)",
        re.MULTILINE,
    ),
    ".org": re.compile(r"^[ \t]*[-+] (.+?) ::(?:[ \t]+|\n[ \t]+)((?:.+\n?)+)", re.MULTILINE),
}
"""Lists of terms: the term, and the paragraph that says what it is."""
_LISTED |= {".txt": _LISTED[".adoc"], ".asciidoc": _LISTED[".adoc"]}
_REFERENCES = re.compile(
    r"<<[^<>,]*,([^<>]*)>>|\b\w+:([\w-]+)\[\d\]|\b\w+:\S*\[([^\]]*)\]|\[\[[^\[\]]*\]\[([^\]]*)\]\]"
)
_MARKDOWN_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^()#: ]+)\)")
_IS_UNREAD = re.compile(r"^(?:image|audio|video|font)/|zip|compressed|octet-stream|!")
_NUMBERED_NAME = re.compile(r"([a-z]+)-0*(\d+)\.\w+", re.IGNORECASE)
_HEAD = re.compile(r"^:?(Author|Status|Created): +(\S.*?),?$", re.MULTILINE)
_OF_A_HEAD = {"Author": "who wrote {}", "Status": "what is the status of {}", "Created": "when was {} written?"}
_NUMBER = re.compile(r"(?:Chapter |Appendix )?(?:\d+|[A-Z])(?:\.\d+)*\.\s+")


class Asked(NamedTuple):
    """A question, the page that answers it, and the sentence there that does, if one is known."""

    question: str
    path: str
    sentence: str = ""


def entries(folder: Path) -> Mapping[str, list[Asked]]:
    """Questions for entries, by kind; what several entries are called is nothing to ask for."""
    known: dict[str, dict[str, list[Asked]]] = {"terms": {}, "names": {}, "wordings": {}}
    for page in _pages(folder, ".html", ".rst", *_LISTED):
        path = page.relative_to(folder).as_posix()
        for term, sentence in _defined(page) if page.suffix == ".html" else _written(page):
            plain = re.sub(r"\s*\(.*\)", "", term).lower()
            if "glossary" in page.name and _TERM.fullmatch(plain):
                article = "an" if plain[0] in "aeiou" else "a"
                known["terms"].setdefault(plain, []).append(Asked(f"What is {article} {plain}?", path, sentence))
            elif (name := _NAME.match(term)) and re.search(r"[._-]", name[1]) and "whatsnew" not in path:
                known["names"].setdefault(name[1], []).append(Asked(f"what does {name[1]} do", path, sentence))
                wording = _WORDINGS[len(known["wordings"]) % len(_WORDINGS)].format(name[1])
                known["wordings"].setdefault(name[1], []).append(Asked(wording, path, sentence))
    return {kind: [one[0] for one in of_name.values() if len(one) == 1] for kind, of_name in known.items()}


def links(folder: Path) -> Mapping[str, list[Asked]]:
    """Questions by what links to a page are called, and by what it is called itself."""
    called = {page.resolve(): title for page in _pages(folder, ".html", ".md") if (title := _title(page))}
    targets: dict[str, set[Path]] = {}
    for page in _pages(folder, ".html", ".md"):
        for text, address in _links(page):
            target = (page.parent / address).resolve()
            leads = target in called and target != page.resolve() and not _words(text) <= _words(called[target])
            if leads and 2 <= len(text.split()) <= 7 and _is_plain(text):
                targets.setdefault(text.lower(), set()).add(target)
    titles: dict[str, set[Path]] = {}
    for page, title in called.items():
        if 2 <= len(title.split()) <= 6:
            titles.setdefault(title.lower(), set()).add(page)
    root = folder.resolve()
    return {
        kind: [Asked(text, min(pages).relative_to(root).as_posix()) for text, pages in of.items() if len(pages) == 1]
        for kind, of in (("links", targets), ("titles", titles))
    }


def items(corpus: Corpus) -> Mapping[str, list[Asked]]:
    """Questions by what items and their files are called; pictures, packed files and what is in them left out."""
    known: dict[str, dict[str, list[Asked]]] = {"items": {}, "files": {}, "numbers": {}, "heads": {}}
    for item in corpus.list():
        if _IS_UNREAD.search(f"{item.media_type} {item.path}"):
            continue
        name = item.path.rpartition("/")[2]
        known["items"].setdefault(item.title.lower(), []).append(Asked(item.title, item.path))
        known["files"].setdefault(name.lower(), []).append(Asked(name, item.path))
        if numbered := _NUMBERED_NAME.fullmatch(name):
            spoken = f"{numbered[1]} {numbered[2]}"
            known["numbers"].setdefault(spoken.lower(), []).append(Asked(spoken, item.path))
            head = (corpus.path / item.path).read_text("utf-8", "replace").partition("\n\n")[0]
            for name, value in _HEAD.findall(head):
                question = _OF_A_HEAD[name].format(spoken)
                known["heads"].setdefault(question, []).append(Asked(question, item.path, f"{name}: {value}"))
    return {kind: [one[0] for one in of_name.values() if len(one) == 1] for kind, of_name in known.items()}


def measure(corpus: Corpus, asked: list[Asked], verbose: bool) -> str:
    """How often the page comes first and among three, and what of the known sentences is quoted, in one line."""
    first = three = quoted = leading = sure = 0
    for question, path, sentence in asked:
        paths = [piece.path for piece in corpus.query(question, limit=3, max_per_source=1).evidence]
        first += paths[:1] == [path]
        three += path in paths
        if not sentence:
            if verbose and paths[:1] != [path]:
                print(f"  {question}: {path}, not {paths[:1]}")
            continue
        answer = corpus.answer(question)
        at = _letters(answer.answer).find(_letters(sentence)[:_SAME])
        quoted += at >= 0
        leading += 0 <= at < _LEADS
        sure += at < 0 and answer.confidence >= _SURE
        if verbose and at < 0:
            print(f"  {question} ({path}): {answer.confidence:.2f} {answer.answer[:120]!r}")
    line = f"{len(asked)} questions: page first {first}, in three {three}"
    if any(one.sentence for one in asked):
        line += f"; sentence quoted {quoted}, leading {leading}, wrong at {_SURE} or more {sure}"
    return line


def _pages(folder: Path, *suffixes: str) -> Iterator[Path]:
    for page in sorted(folder.rglob("*")):
        if page.suffix in suffixes and ".biblicus" not in page.parts:
            yield page


def _defined(page: Path) -> Iterator[tuple[str, str]]:
    """The terms of a page's lists, each with the first sentence of its definition."""
    tree = LexborHTMLParser(page.read_text("utf-8", errors="replace"))
    for mark in tree.css("a.headerlink"):
        mark.decompose()
    for term in tree.css("dl > dt"):
        definition = term.next
        while definition is not None and not definition.is_element_node:
            definition = definition.next
        if definition is not None and definition.tag == "dd":
            paragraph = definition.css_first("p") or definition
            sentence = re.split(r"(?<=[.!?])\s", _flat(paragraph))[0]
            if len(sentence.split()) in _SENTENCE:
                yield _flat(term), sentence


def _written(page: Path) -> Iterator[tuple[str, str]]:
    """What a page's directives name, and its lists of terms, each with the first sentence that says what it is."""
    text = page.read_text("utf-8", errors="replace")
    yield from _directed(text)
    if page.suffix in _LISTED and not ENTRIES.search(text):
        for term, paragraph in _LISTED[page.suffix].findall(text):
            says = _REFERENCES.sub(lambda found: next(filter(None, found.groups()), ""), paragraph)
            sentence = re.split(r"(?<=[.!?])\s", readable(says))[0]
            if len(sentence.split()) in _SENTENCE and "::" not in sentence:
                yield re.sub(r"[`'*=~]", "", term), sentence


def _directed(text: str) -> Iterator[tuple[str, str]]:
    """What a text's directives name, each with the first sentence below it."""
    for entry in ENTRIES.finditer(text):
        further_in = re.compile(rf"\n+((?:{entry[1]}[ \t]+\S.*\n?)+)")
        at = entry.end()
        while (paragraph := further_in.match(text, at)) and paragraph[1].lstrip().startswith((":", "..")):
            at = paragraph.end() - 1
        sentence = re.split(r"(?<=[.!?])\s", readable(paragraph[1]))[0] if paragraph else ""
        if entry[3] and len(sentence.split()) in _SENTENCE:
            yield entry[3], sentence


def _flat(node: LexborNode) -> str:
    return " ".join(node.text().replace("¶", "").split())


def _title(page: Path) -> str:
    text = page.read_text("utf-8", errors="replace")
    if page.suffix == ".md":
        heading = re.search(r"^# (.+)$", text, re.MULTILINE)
        return re.sub(r"[*_`\\]", "", heading[1]).strip() if heading else ""
    title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
    words = " ".join(unescape(title[1]).split()).partition(" — ")[0] if title else ""
    return _NUMBER.sub("", words, count=1)


def _links(page: Path) -> Iterator[tuple[str, str]]:
    """What each link of a page is called, and the page that it leads to."""
    text = page.read_text("utf-8", errors="replace")
    if page.suffix == ".md":
        yield from ((re.sub(r"[*_`\\]", "", name), address) for name, address in _MARKDOWN_LINK.findall(text))
        return
    for link in LexborHTMLParser(text).css("a[href]"):
        address = (link.attributes.get("href") or "").partition("#")[0]
        if address and ":" not in address:
            yield _flat(link), address


def _is_plain(text: str) -> bool:
    return re.fullmatch(r"[\w '/+-]+", text) is not None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    with Corpus.open(arguments.folder) as corpus:
        folder = arguments.folder
        for kind, asked in {**entries(folder), **links(folder), **items(corpus)}.items():
            random.Random(_SEED).shuffle(asked)
            if asked:
                print(f"{kind}: {measure(corpus, asked[: arguments.count], arguments.verbose)}", flush=True)


if __name__ == "__main__":
    main()
