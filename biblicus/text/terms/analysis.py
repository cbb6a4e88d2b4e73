"""Text to terms: the one analysis that `lexical` and `scan` share, so that they rank alike.

A chunk's text is first made `ranked`: normalised (NFKC), scripts without spaces as overlapping bigrams, names from code
also in parts. Tantivy's analyzers then do the rest natively: words, lower case, stems of the chunk's language, and
letters without their accents last, so that `cafe` finds `café` (but in Vietnamese, where `ma`, `má` and `mà` are three
words; a recipe may have it otherwise). Stop words stay in (phrases need them); a question
loses its own. All languages share one field.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from biblicus.models.frozen import dataclass
from biblicus.text.terms import folding, identifiers

if TYPE_CHECKING:
    from tantivy import TextAnalyzer


VERSION = "37"
"""Part of every leg's fingerprints: grows with any change that alters terms."""

LONGEST_WORD = 60
"""In bytes: longer runs of letters are data, not words, and are not indexed."""

_REMEMBERED = 1 << 16
"""Words of one analyzer."""
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+")
_LETTER = re.compile(r"\w")
_BETWEEN = re.compile(r"[\W_]+")
_ENDINGS = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_TURKISH_ENDINGS = re.compile(
    r"(?<=\w\w)['’](?:n?[ıiuü]n|n?[dt][ae]n?|[yn]?[ae]|[yn]?[ıiuü]|y?l[ae]|[dt][ıiuü]r|l[ae]r)\b", re.IGNORECASE
)
"""The same in Turkish (`Bodrum'un`); names from elsewhere are written so, too (`Hawai'i`)."""
MIN_SHARE = 0.02
"""Of the text whose language is known: rarer languages have no stems of their own, to keep questions short."""

STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "vi": "vietnamese",
}  # fmt: skip
"""ISO 639-1 to the stemmer's name, for each stemmer that the engine has, and Vietnamese, which has no endings. Other
languages are indexed as written."""
_ACCENTED = frozenset({"vietnamese"})
"""Languages whose accents make other words. (xquad-vi, nDCG@10 of `lexical`: .962, without the accents .939.)"""

KEEPS = "+accents"
"""Ends the name of a stemmer behind which accents stay, where they do not by themselves."""

_STOP_LISTS = {
    "danish", "dutch", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "russian",
    "spanish", "swedish",
}  # fmt: skip
"""Those that the engine has: fewer than stemmers (none for Greek, Romanian, Tamil, Turkish)."""

# Snowball's English list, as tantivy's lists for other languages; its own for English is Lucene's 33 words, which lack
# `what` and `how` (nDCG@10 with those: cranfield .512 for .522, cisi .381 for .401, the others within .003).
_ENGLISH_STOPWORDS = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
has had having do does did doing would should could ought a an the and but if or because as until while of at by for
with about against between into through during before after above below to from up down in out on off over under again
further then once here there when where why how all any both each few more most other some such no nor not only own same
so than too very can will just don now happen happens happened happening tell may might must
"""

# The commonest words that only join others; the engine has no list.
_ARABIC_STOPWORDS = """
من إلى الى عن على في مع حتى منذ خلال بين عند عندما بعد قبل تحت فوق حول دون ضد نحو لدى ما ماذا لماذا متى أين
اين كيف كم هل أي اي الذي التي الذين اللذان اللتان اللاتي هذا هذه ذلك تلك هؤلاء أولئك هو هي هم هن هما أنا انا
نحن أنت انت أنتم انتم كان كانت كانوا يكون تكون ليس ليست لم لن لا قد لقد إن ان أن أنه انه أنها انها كما كل بعض
غير سوف ثم أو او أم بل لكن إذا اذا إذ لو حيث بما مما فيما عليه عليها فيه فيها به بها له لها منه منها وهو وهي
وقد ولا وكان وكانت التى والتي والذي وفي ومن وعلى وإلى
"""
_OTHER_WORDS = ("su", "far", "matte", "nar", "bor")
"""What stop words are without their accents that is a word of its own: water, father, to live."""
_LISTED = {"english": _ENGLISH_STOPWORDS, "arabic": _ARABIC_STOPWORDS}

GAP = "x" * (LONGEST_WORD + 1)
"""In the place of a word too long to be indexed: no phrase crosses it."""
_OTHERS, _NEXT = "\x1f", "\x1e"
"""Around the other spellings of a word among terms, and between two of them."""

# Thai, Lao, Myanmar, Khmer, kana, Han and Hangul: written without spaces, or (Hangul) with endings joined to the word.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]+"
)

_OPTION_WORD = re.compile(r"(?<![\w-])--?([^\W_]++)(?![\w-])")
"""An option of one word."""

_DRAWN_OUT = re.compile("(?<=[ァ-ヺー][ァ-ヺー])ー(?![ァ-ヺー])")
"""The last sound of a word in katakana, of more than two, which may be written long or not."""


@lru_cache(maxsize=256)
def stemmer_of(language: str | None) -> str | None:
    """The stemmer for an ISO 639 code; empty where there is none; None where the language is not known."""
    return STEMMERS.get(language.lower().replace("_", "-").partition("-")[0], "") if language else None


@lru_cache(maxsize=256)
def stop_list_of(language: str | None) -> str:
    """The name of the list of stop words for an ISO 639 code: its stemmer's or its own; empty where there is none."""
    if stemmer := stemmer_of(language):
        return stemmer
    from biblicus.text.terms import asking  # lazy: English has a stemmer

    code = (language or "").lower().replace("_", "-").partition("-")[0]
    return code if code in asking.WORDS else ""


@dataclass(frozen=True)
class Stemmers:
    """Which stemmer a chunk gets. `chosen`: all in use, the main one first; a question is asked in each of them.

    The main language's is for chunks of unknown and of rare languages too. `accents`: whether they are letters
    (`keep`), none (`fold`), or as the language has it (`auto`).
    """

    chosen: tuple[str, ...]
    accents: str = "auto"

    @classmethod
    def among(cls, languages: Mapping[str, float], accents: str = "auto") -> Stemmers:
        """For a run with these languages, each with its weight (the empty code: unknown); English by default."""
        weights: dict[str, float] = {}
        for language, weight in languages.items():
            if (stemmer := _named(stemmer_of(language), accents)) is not None:
                weights[stemmer] = weights.get(stemmer, 0) + weight
        least = MIN_SHARE * sum(weights.values())
        frequent = sorted((name for name in weights if weights[name] >= least), key=lambda name: (-weights[name], name))
        return cls(tuple(frequent) or (f"english{KEEPS if accents == 'keep' else ''}",), accents)

    @classmethod
    def none(cls, accents: str = "auto") -> Stemmers:
        """For a run whose words are indexed as they are written."""
        return cls((KEEPS if accents == "keep" else "",), accents)

    def of(self, language: str | None) -> str:
        """The stemmer for a chunk."""
        stemmer = _named(stemmer_of(language), self.accents)
        return stemmer if stemmer in self.chosen else self.chosen[0]


def _named(stemmer: str | None, accents: str) -> str | None:
    """A stemmer by the name that says what becomes of accents; of a language whose stemmer only keeps them, none."""
    if stemmer is None or accents == "auto":
        return stemmer
    if stemmer in _ACCENTED:
        return stemmer if accents == "keep" else ""
    return f"{stemmer}{KEEPS}" if accents == "keep" else stemmer


def plain(stemmer: str) -> str:
    """The name of a stemmer by which lists of words know it."""
    return stemmer.removesuffix(KEEPS)


@lru_cache(maxsize=128)
def analyzer(stemmer: str) -> TextAnalyzer:
    """Words, lower case, stems (none for the empty name), accents folded where they make no other word."""
    return _built(plain(stemmer), fold=_folds(stemmer))


@lru_cache(maxsize=64)
def plain_analyzer(stopwords: str = "") -> TextAnalyzer:
    """Words in lower case, without the stop words of a language where one is named."""
    return _built("", stopwords=plain(stopwords))


@lru_cache(maxsize=128)
def telling_analyzer(stemmer: str, stopwords: str) -> TextAnalyzer:
    """As `analyzer`, without the stop words of a language."""
    return _built(plain(stemmer), fold=_folds(stemmer), stopwords=plain(stopwords))


def _folds(stemmer: str) -> bool:
    return stemmer not in _ACCENTED and not stemmer.endswith(KEEPS)


def _built(stemmer: str, *, fold: bool = False, stopwords: str = "") -> TextAnalyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    builder = builder.filter(Filter.remove_long(LONGEST_WORD)).filter(Filter.lowercase())
    if stopwords in _LISTED:
        builder = builder.filter(Filter.custom_stopword(folding.folded(_LISTED[stopwords]).split()))
    elif stopwords in _STOP_LISTS:
        builder = builder.filter(Filter.stopword(stopwords))
    if stopwords and stopwords != "english":
        from biblicus.text.terms import asking  # lazy: English is asked by other words

        words = folding.folded(asking.WORDS.get(stopwords, ""))
        unaccented = "" if stopwords in _ACCENTED else without_accents(words)
        listed = {*words.split(), *unaccented.split()} - ({*_OTHER_WORDS} - {*words.split()})
        builder = builder.filter(Filter.custom_stopword(sorted(listed)))
    if stemmer and stemmer not in _ACCENTED:
        builder = builder.filter(Filter.stemmer(stemmer))
    if fold:
        builder = builder.filter(Filter.ascii_fold())
    return builder.build()


class _Words(dict[str, str]):
    """The term of each word that was met, empty for none, as an analyzer has it: most words come again and again."""

    def __init__(self, analyze: Callable[[str], list[str]]) -> None:
        self.analyze = analyze

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = term = "".join(self.analyze(word))
        return term


@lru_cache(maxsize=128)
def _words_of(stemmer: str, stopwords: str) -> _Words:
    return _Words((telling_analyzer(stemmer, stopwords) if stopwords else analyzer(stemmer)).analyze)


def without_accents(text: str) -> str:
    """Letters as people type them in a hurry: `cuantos` for `cuántos`."""
    marked = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in marked if not unicodedata.combining(sign)))


def terms(text: str, stemmer: str, stopwords: str = "") -> list[str]:
    """The terms of a short text, without the stop words of a language where one is named."""
    words = _words_of(stemmer, stopwords)
    if text.isascii():
        return [term for word in _ASCII_WORD.findall(text) if (term := words[word])]
    return words.analyze(text)


def telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """The words of a text, stemmed, that are no stop words; all of them where there are no others."""
    if stop_list and (options := options_in(text)):
        return _telling_options(text, stemmer, stop_list, options)
    if not text.isascii() or "'" in text:
        text = bigrams(without_endings(text, (stemmer,)) if stop_list else text)
    return terms(text, stemmer, stop_list) or terms(text, stemmer)


def _telling_options(text: str, stemmer: str, stop_list: str, options: frozenset[str]) -> list[str]:
    """The same of a text that names options, whose letters may be stop words elsewhere: `winch -a`."""
    text = bigrams(without_endings(text, (stemmer,)))
    content = options.union(plain_analyzer(stop_list).analyze(text))
    words = zip(plain_analyzer().analyze(text), analyzer(stemmer).analyze(text), strict=True)
    return [term for word, term in words if word in content]


def options_in(text: str) -> frozenset[str]:
    """The words of a text, in lower case, that name options, which are no stop words: `a` of `-a`, `all` of `--all`."""
    return frozenset(word.lower() for word in _OPTION_WORD.findall(text)) if "-" in text else frozenset()


def normalised(text: str) -> str:
    """NFKC without lone surrogates. ASCII text, most of code and English, is returned as it is."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return text.encode("utf-8", "replace").decode()


def is_unspaced(text: str) -> bool:
    """Whether a text holds letters of a script without spaces, such as Chinese, Thai or, with its endings, Korean."""
    return not text.isascii() and re.search(_UNSPACED, text) is not None


def bigrams(text: str) -> str:
    """Runs of scripts without spaces as overlapping pairs: `黑猫跑` is ` 黑猫 猫跑 `; one character stays one word.
    What may be drawn out at the end of a Japanese word is not: `サーバー` is `サーバ`. Letters that are written in
    several ways are one (see `folding`)."""
    if text.isascii():
        return text
    text = folding.folded(_DRAWN_OUT.sub("", text) if "ー" in text else text)
    return re.sub(_UNSPACED, _pairs, text)


def _pairs(run: re.Match[str]) -> str:
    written = run[0]
    pairs = map("".join, pairwise(written)) if len(written) > 1 else written
    return f" {' '.join(pairs)} "


def ranked(context: str, text: str) -> str:
    """A text as an analyzer takes it: its context (title, heading), it, the parts of names from code and other
    spellings, the single characters of unspaced scripts. No phrase spans two of these.
    """
    both = [_in_words(part) for part in (context, text) if part]
    parts = [identifiers.with_symbols(part) for part, _ in both]
    singles = dict.fromkeys("".join([single for _, single in both]).replace(" ", ""))
    spellings = identifiers.other_spellings("\n".join(parts))
    return f"\n{GAP}\n".join(filter(None, (*parts, *spellings, " ".join(singles))))


def _in_words(text: str) -> tuple[str, str]:
    """The normalised text with unspaced scripts as pairs; and the single characters of those."""
    if text.isascii():
        return text, ""
    text = normalised(text)
    return bigrams(text), " ".join(dict.fromkeys("".join(re.findall(_UNSPACED, text))))


class _Indexed(dict[bytes, str]):
    """The terms of each word between ASCII signs, with blanks between, and those of its other spellings."""

    def __init__(self, analyze: Callable[[str], list[str]]) -> None:
        self._analyze = analyze

    def __missing__(self, word: bytes) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        bare = word.strip(identifiers.SIGNS)
        if b".NET" in word:
            pieces = word.replace(b".NET", b".NET dotnet ").split()
            terms = " ".join([self._made(piece.strip(identifiers.SIGNS)) for piece in pieces])
        else:
            terms = self._made(bare) if bare == word else self[bare]
        self[word] = terms
        return terms

    def _made(self, word: bytes) -> str:
        text = word.decode()
        terms = self.terms(text) if len(word) <= LONGEST_WORD else self._with_gaps(text)
        others = [self.terms(spelling) for spelling in identifiers.others(word)]
        return f"{terms}{_OTHERS}{_NEXT.join(others)}{_OTHERS}" if others else terms

    def terms(self, text: str) -> str:
        """The terms of a text without a word that is too long."""
        return " ".join(self._analyze(text))

    def _with_gaps(self, text: str) -> str:
        return " ".join(self.terms(word) or GAP for word in _BETWEEN.split(text) if word)


@lru_cache(maxsize=32)
def _indexed(stemmer: str) -> _Indexed:
    return _Indexed(analyzer(stemmer).analyze)


def indexed(context: str, text: str, stemmer: str, symbols: Iterable[str] = ()) -> str:
    """The terms of a `ranked` text and of its toolkits with blanks between, `GAP` where no phrase crosses."""
    return in_one(*spelled(f"{context} {GAP} {text}" if context else text, stemmer, symbols))


def spelled(text: str, stemmer: str, symbols: Iterable[str] = ()) -> tuple[str, list[str]]:
    """The terms of a text with blanks between, and those of its words' other spellings and of its toolkits.

    Most words come again and again: to look each up takes half as long as to analyse it.
    """
    text, singles = _in_words(text)
    known = _indexed(stemmer)
    raw = identifiers.with_signs(text).encode("utf-8", "replace")
    terms = " ".join(map(known.__getitem__, raw.translate(identifiers.WORDS).split()))
    more = [known.terms(spelling) for spelling in (*identifiers.grouped(raw), singles, " ".join(symbols)) if spelling]
    if _OTHERS not in terms:
        return terms, more
    parts = terms.split(_OTHERS)
    return "".join(parts[::2]), [*_NEXT.join(parts[1::2]).split(_NEXT), *more]


def in_one(terms: str, others: Iterable[str]) -> str:
    """What `spelled` gives as one text, each other spelling once."""
    return f" {GAP} ".join([terms, *filter(None, dict.fromkeys(others))])


def by_blanks() -> TextAnalyzer:
    """The analyzer of an index, for `indexed` terms."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.remove_long(LONGEST_WORD)).build()


def placed(terms: str) -> Iterator[tuple[int, str]]:
    """Each of `indexed` terms with its position."""
    return ((place, term) for place, term in enumerate(terms.split()) if term != GAP)


def positions(text: str, stemmer: str) -> Iterator[tuple[int, str]]:
    """Each term of a ranked text or question with its position; long words leave a gap."""
    return ((token.position, token.text) for token in analyzer(stemmer).pre_tokenize(text).tokens)


def without_joined(text: str, stemmers: Iterable[str]) -> str:
    """A text of these languages without what is joined to its words by an apostrophe and is none of their own."""
    if "'" not in text and "’" not in text:
        return text
    text = _ENDINGS.sub("", text)
    return _TURKISH_ENDINGS.sub("", text) if "turkish" in map(plain, stemmers) else text


def without_endings(text: str, stemmers: Iterable[str] = ()) -> str:
    """A text without the stop words that are joined to others: `what's` is `what`, `如何配置` is `配置`."""
    text = without_joined(text, stemmers)
    if not is_unspaced(text):
        return text
    from biblicus.text.terms import asking

    rest = asking.UNSPACED.sub(" ", text)
    return rest if _LETTER.search(rest) else text
