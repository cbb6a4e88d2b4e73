"""What a page or section is called, as one term: who asks for all of a title finds the page before what mentions it.

The telling words of a title, stemmed, are one term: `The Zen of Python` is `zen python`. A question asks for the terms
of all runs of its own telling words, each for as much as the run is of the question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, combinations
from types import ModuleType
from typing import NamedTuple

from biblicus.contracts import RankedChunk
from biblicus.models.question import Question
from biblicus.retrieval.words.wording import Languages
from biblicus.text import kinds
from biblicus.text.terms import analysis, file_names, identifiers, symbols, titles

MOST = (titles.MOST + file_names.MOST + 1, 48, titles.MOST + 1)
"""Terms of each field at most: a chunk of short entries has many headings."""
_MARKS = 16
"""Characters of marks before a heading at most."""
_SHOWN = 60
"""The same where it is shown how a member is called: `pub unsafe fn haul(` of `Slip::haul`."""
_MEMBER = re.compile(r"([A-Z]\w*|\w+(?=::))(?:\.|::)(~?\w+)")
_SPELLED = 6
"""What a name counts that is spelled as the question spells it, in units of its words."""
_UNSTEMMED = 0.25
"""What it counts that a whole title is spelled as all of the question is: `containment`, not `containers`."""
_SAYS = "~"
"""What the term begins with of what a chunk says the kind of (see `defining.subjects`)."""
_SAID = 3.0
"""What it counts, in units of a heading's, that a chunk says what a thing is where that is asked."""
_OPENS, _OPENED = "^", 1.0
"""What the term begins with of what the page is called that a chunk begins, and what that counts, in units of a
heading's, where it is asked what something is: a page begins with that."""
_IN, _PARTS, _PLACES = "/", 3, 18
"""What stands in the term of a heading and a section that it is in, between the two; terms of each at most, and those
of both of one chunk."""
_LONGEST_PLACED = 8
"""Telling words of a question at most that may name a heading and where it stands."""
_WITHIN = re.compile(r"\s+in\s+(?:the\s+)?[\w.+#-]+(?:\s+[\w.+#-]+)?[\s?!.]*$", re.IGNORECASE)
"""Where what is asked for has its meaning: `a macro in Bun`."""
_END = 300
"""Characters at the end of a question in which that stands."""
_COMMAND = re.compile(r"[a-z]\w*[- ]([a-z]\w*)(?:\(\d\w?\))?")
"""What a page is called that tells of a command, whose last word is what it does: `git-stash`, `bun publish`."""
_LONGEST_ASKED = 24
"""Telling words of a question that may name a page; what is longer describes one."""


class Named(NamedTuple):
    """A run of a question's words that may be a title. `terms`: one per language; `share`: its idf (0–1) of all that
    is asked; `weight`: its idf; `is_placed`: whether only headings have such terms."""

    terms: tuple[str, ...]
    weight: float
    share: float
    is_placed: bool = False


def of(chunk: RankedChunk, stemmer: str, stop_list: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The terms of what a chunk is called, field by field (see `kinds.Called`). Its file's name is of its title's
    field, the headings within it, and the options that its items tell of, are of its own one's. A chunk that a section
    goes on in is not called so: who asks for a section wants its beginning."""
    text, headlines = chunk.text, _headlines()
    title, heading, term = kinds.called(chunk.path, chunk.title, chunk.heading)
    member = _MEMBER.fullmatch(heading) if "." in heading or ":" in heading else None
    shown = text[: len(heading) + (_SHOWN if member else _MARKS)]
    within = headlines.within(text, chunk.media_type)
    begins = heading in shown or (member is not None and member[2] in shown) or (heading in within and chunk.sections)
    names: list[str] = [*_unstemmed(heading, "")] if begins and heading and " " not in heading else []
    above = heading if begins else title if chunk.opens and not heading else ""
    for name in dict.fromkeys((*((above,) if above else ()), *within)):
        names += (*file_names.of_versions(name), *titles.terms(name, stemmer, stop_list))
    for name in headlines.option_items(text, chunk.media_type):
        names += symbols.exact(name)
    for name in headlines.row_names(text, chunk.media_type):
        names += titles.terms(name, stemmer, stop_list)
    if member is not None:  # it is no name of what it is a member of
        owner = titles.terms(member[1], stemmer, stop_list)
        names = [name for name in names if name not in owner]
    defined = (titles.telling(name, stemmer, stop_list) for name in _defining().subjects(text, chunk.language))
    says_of = [_SAYS + " ".join(words) for words in defined if words]
    endings = titles.endings(title, stemmer, stop_list)
    begun = (*titles.terms(title, stemmer, stop_list), *endings) if chunk.opens else ()
    if chunk.opens and (command := _COMMAND.fullmatch(title)):
        begun = (*begun, *titles.telling(command[1], stemmer, stop_list))
    of_place = _places(chunk, title, heading, stemmer, stop_list) if begins and heading and not term else ()
    opened = [_OPENS + name for name in (titles.terms(term, stemmer, stop_list) if term else begun)]
    of_headings = dict.fromkeys((*says_of, *opened, *of_place, *names, *endings))
    of_term = dict.fromkeys((*titles.terms(term, stemmer, stop_list), *_unstemmed(term, ""))) if term else ()
    return _of_page(title, chunk.path, stemmer, stop_list), tuple(of_headings)[: MOST[1]], tuple(of_term)


def _places(chunk: RankedChunk, title: str, heading: str, stemmer: str, stop_list: str) -> list[str]:
    """The terms of a heading with each of the sections above it, the nearest first, and then with the page."""
    own = titles.terms(heading, stemmer, stop_list)[:_PARTS]
    above = dict.fromkeys((*reversed(chunk.sections), title)) if chunk.sections else ()
    terms = (titles.terms(section, stemmer, stop_list)[:_PARTS] for section in above if section != heading)
    return [f"{whole}{_IN}{name}" for wholes in terms for whole in wholes for name in own if whole != name][:_PLACES]


@cache
def _defining() -> ModuleType:
    from biblicus.text.terms import defining  # lazy: a plain question needs none

    return defining


@cache
def _headlines() -> ModuleType:
    from biblicus.text.terms import headlines  # lazy, as above

    return headlines


@lru_cache(maxsize=64)
def _of_page(title: str, path: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The terms of a page's title and of its file's name, for one chunk after the other."""
    named_so = titles.terms(title, stemmer, stop_list), file_names.of(path, title), _unstemmed(title, "")
    return tuple(dict.fromkeys(chain.from_iterable(named_so)))


def named(
    question: Question,
    languages: Languages,
    weigh: Callable[[str], float],
    heads: Callable[[str], object] = lambda term: True,
) -> list[Named]:
    """What a question may call a page. `weigh` gives a term's idf; of a word's variants the most frequent one tells.
    `heads`: whether a heading may be called so, where that is known: what is none stands in no section."""
    came = file_names.came_with(question.text)
    name = "" if came else symbols.alone(question.text)
    text = came.what if came and came.by_version else name or kinds.without_testing(question.text)
    spellings = _asked(text, tuple(question.languages.items()), languages)
    weights = [min(map(weigh, variants)) for variants in zip(*spellings, strict=True)]
    whole = sum(weights)
    runs = []
    for start in range(len(weights)) if whole else ():
        weight = 0.0
        for end in range(start + 1, min(len(weights), start + titles.MOST_WORDS) + 1):
            weight += weights[end - 1]
            terms = tuple(dict.fromkeys([" ".join(words[start:end]) for words in spellings]))
            runs.append(Named(terms, weight, weight / whole))
    runs += _by_nouns(text, spellings, weights, languages)
    if whole and len(weights) <= titles.MOST_WORDS and kinds.asks_for_a_meaning(question.text):
        runs += _by_meaning(question, text, spellings, weights, languages)
    if whole and kinds.asks_how(question.text):  # the page of a command that is called so
        verb = tuple(dict.fromkeys(_OPENS + words[0] for words in spellings))
        runs.append(Named(verb, _OPENED * weights[0], weights[0] / whole))
    files, joined = file_names.asked(text)
    spelled_so = dict.fromkeys(joined, 1) | dict.fromkeys((*symbols.exact(text, name), *files), _SPELLED)
    if kinds.asks_for_a_release(text):
        spelled_so |= dict.fromkeys(file_names.of_versions(text), _SPELLED)
    if whole and 1 < len(weights) <= _LONGEST_PLACED:
        exact = (titles.telling(spelled, languages.stemmers[0], "") for spelled in spelled_so)
        runs += _by_places(spellings, weights, {" ".join(words) for words in exact}, heads)
    stop_list = languages.stop_list(text, question.languages)
    runs += [Named((term,), _UNSTEMMED * whole, 1.0) for term in _unstemmed(text, stop_list) if whole]
    for spelled, counts in spelled_so.items() if whole else ():
        weight = min(whole, sum(map(weigh, titles.telling(spelled, languages.stemmers[0], ""))))
        if spelled.startswith(symbols.OPTION_TERMS):  # its letter may be the commonest of words: `-a`
            weight = max(weight, *weights)
        runs.append(Named((spelled,), counts * weight, weight / whole))
        if (last := symbols.last_part(spelled)) != spelled:
            runs.append(Named((last,), weight, weight / whole))
    return runs


def _by_meaning(
    question: Question, text: str, spellings: Sequence[Sequence[str]], weights: Sequence[float], languages: Languages
) -> Iterator[Named]:
    """What says what something is whose meaning is asked for: all that is named, or what stands before where."""
    within = _WITHIN.search(text, max(0, len(text) - _END))
    before = _asked(text[: within.start()], tuple(question.languages.items()), languages) if within else ()
    names = [(spellings, sum(weights))]
    if before and before[0] and [*before[0]] == [*spellings[0][: len(before[0])]] and len(before[0]) < len(weights):
        names.append((before, sum(weights[: len(before[0])])))
    for words_of, weight in names:
        named_so = tuple(dict.fromkeys(" ".join(words) for words in words_of))
        yield Named(tuple(_SAYS + name for name in named_so), _SAID * weight, 1.0)
        yield Named(tuple(_OPENS + name for name in named_so), _OPENED * weight, 1.0)


def _by_places(
    spellings: Sequence[Sequence[str]], weights: Sequence[float], exact: Set[str], heads: Callable[[str], object]
) -> Iterator[Named]:
    """What is called as a run of the words, in what is called as another. `exact`: names that count as spelled."""
    whole, size = sum(weights), len(weights)
    runs = []
    for at in range(size):
        for end in range(at + 1, min(size, at + titles.MOST_WORDS) + 1):
            names = [" ".join(words[at:end]) for words in spellings]
            headings = [name for name in names if heads(name)]
            runs.append((at, end, names, headings, sum(weights[at:end]), not exact.isdisjoint(names)))
    for (_, end, ones, own, weight, is_exact), (after, _, others, theirs, further, are_exact) in combinations(runs, 2):
        if end <= after and (own or theirs):
            terms: dict[str, None] = {}
            for one, other in zip(ones, others, strict=True):
                if other in theirs:
                    terms[f"{one}{_IN}{other}"] = None
                if one in own:
                    terms[f"{other}{_IN}{one}"] = None
            both = weight + further
            counts = _SPELLED if is_exact or are_exact else 1
            yield Named(tuple(terms), counts * both, both / whole, is_placed=True)


def _by_nouns(
    text: str, spellings: Sequence[Sequence[str]], weights: Sequence[float], languages: Languages
) -> Iterator[Named]:
    """The runs that begin with a noun made of the verb that is asked for: `installation paket`."""
    task = analysis.task_of(text, languages.stemmers)
    verb = "".join(analysis.terms(task.verb, languages.stemmers[0])) if task else ""
    if task is None or not spellings or verb not in spellings[0]:
        return
    at = spellings[0].index(verb)
    rest = [[*words[:at], *words[at + 1 :]] for words in spellings]
    counted = [weights[at], *weights[:at], *weights[at + 1 :]]
    for noun in task.nouns:
        named_so = [analysis.terms(noun, stemmer) for stemmer in languages.stemmers]
        for end in range(1, min(len(counted), titles.MOST_WORDS) + 1):
            weight = sum(counted[:end])
            terms = dict.fromkeys(
                " ".join((*one, *words[: end - 1])) for one, words in zip(named_so, rest, strict=True)
            )
            yield Named(tuple(terms), weight, weight / sum(counted))


def is_asked_for(title: str, question: Question, languages: Languages) -> bool:
    """Whether a title, or a part of it that names the page, is all that a question of several telling words asks."""
    spellings = _asked(question.text, tuple(question.languages.items()), languages)
    for stemmer, words in zip(languages.stemmers, spellings, strict=False):
        stop_list = _stop_list(stemmer, question, languages)
        called = (" ".join(titles.telling(title, stemmer, stop_list)), *titles.terms(title, stemmer, stop_list))
        if len(words) > 1 and " ".join(words) in called:
            return True
    return False


def _stop_list(stemmer: str, question: Question, languages: Languages) -> str:
    """Whose stop words a title lost whose words have such stems."""
    return stemmer if stemmer and languages.stopwords else languages.stop_list(question.text, question.languages)


def says_what_it_is(text: str, language: str | None, question: Question, languages: Languages) -> bool:
    """Whether a text says what the thing is whose meaning a question asks for."""
    if not kinds.asks_for_a_meaning(question.text):
        return False
    spellings = _asked(question.text, tuple(question.languages.items()), languages)
    names = _defining().subjects(text, language)
    for stemmer, words in zip(languages.stemmers, spellings, strict=False):
        stop_list = _stop_list(stemmer, question, languages)
        if words and list(words) in [titles.telling(name, stemmer, stop_list) for name in names]:
            return True
    return False


@lru_cache(maxsize=65_536)
def _unstemmed(name: str, stop_list: str) -> tuple[str, ...]:
    """The telling words of a name as they are spelled, of a title all words, as a term; none where they are many."""
    words = titles.telling(analysis.normalised(name), "", stop_list)
    return (f"={' '.join(words)}",) if 0 < len(words) <= titles.MOST_WORDS else ()


@lru_cache(maxsize=256)
def _asked(text: str, shares: tuple[tuple[str, float], ...], languages: Languages) -> tuple[tuple[str, ...], ...]:
    """The telling words of a question, in order, as each stemmer has them; none where too many to name anything."""
    text = identifiers.with_asked_symbols(analysis.normalised(text))
    task = analysis.task_of(text, languages.stemmers)
    text = task.text if task else text
    stop_list = languages.stop_list(text, dict(shares))
    spellings = tuple(tuple(titles.telling(text, stemmer, stop_list)) for stemmer in languages.stemmers)
    return spellings if len(spellings[0]) <= _LONGEST_ASKED else ()
