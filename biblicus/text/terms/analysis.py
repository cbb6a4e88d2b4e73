"""Text analysis: index terms of texts and questions, shared by `lexical` and `scan` so that both rank alike.

A text is first normalised (NFKC); scripts without spaces become overlapping bigrams, and parts of code identifiers are
added. Tantivy's analyzers then split words, lower-case, stem by the chunk's language and fold accents last, so that
`cafe` matches `café` (not in Vietnamese, where `ma`, `má` and `mà` differ; a recipe can change this). Stop words stay
in texts, as phrases need them, and are removed from questions. All languages share one field.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from biblicus.models.frozen import dataclass
from biblicus.text.terms import folding, identifiers

if TYPE_CHECKING:
    from tantivy import TextAnalyzer


VERSION = "39"
"""Version of the analysis, part of every leg's fingerprint. Increase it with any change of terms."""

LONGEST_WORD = 60
"""Maximum bytes of an indexed word; longer ones are data."""

_REMEMBERED = 1 << 16
"""Maximum words cached for each analyzer."""
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+")
_LETTER = re.compile(r"\w")
_BETWEEN = re.compile(r"[\W_]+")
_ENDINGS = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_TURKISH_ENDINGS = re.compile(
    r"(?<=\w\w)['’](?:n?[ıiuü]n|n?[dt][ae]n?|[yn]?[ae]|[yn]?[ıiuü]|y?l[ae]|[dt][ıiuü]r|l[ae]r)\b", re.IGNORECASE
)
"""Turkish case endings after an apostrophe (`Bodrum'un`); foreign names may look alike (`Hawai'i`)."""
MIN_SHARE = 0.02
"""Minimum share of a language in the text to get its own stemmer, which keeps questions short."""

STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "vi": "vietnamese",
}  # fmt: skip
"""Stemmer names by ISO 639-1 code, and Vietnamese, which has no endings. Other languages are indexed unstemmed."""
_ACCENTED = frozenset({"vietnamese"})
"""Languages in which accents distinguish words. (xquad-vi, nDCG@10 of `lexical`: .962, without the accents .939.)"""

KEEPS = "+accents"
"""Suffix of a stemmer's name if accents are kept in a language that normally folds them."""

_STOP_LISTS = {
    "danish", "dutch", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "russian",
    "spanish", "swedish",
}  # fmt: skip
"""Languages with a stop word list in the engine (none for Greek, Romanian, Tamil, Turkish)."""

# Snowball's English list, as in tantivy's lists for other languages; its own for English (Lucene's 33 words) lacks
# `what` and `how` (nDCG@10 with it: cranfield .512 instead of .522, cisi .381 of .401, the others within .003).
_ENGLISH_STOPWORDS = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
has had having do does did doing would should could ought a an the and but if or because as until while of at by for
with about against between into through during before after above below to from up down in out on off over under again
further then once here there when where why how all any both each few more most other some such no nor not only own same
so than too very can will just don now happen happens happened happening tell may might must
"""


GAP = "x" * (LONGEST_WORD + 1)
"""Placeholder for a word that is too long to index; no phrase matches across it."""
_OTHERS, _NEXT = "\x1f", "\x1e"
"""Marks around the other spellings of a word among terms, and between two of them."""

# Thai, Lao, Myanmar, Khmer, kana, Han and Hangul: written without spaces, or with endings joined to the word.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]+"
)

_OPTION_WORD = re.compile(r"(?<![\w-])--?([^\W_]++)(?![\w-])")
"""A command line option of one word."""

_POWER = "(?<=\\d)(?=[⁺⁻⁰¹²³⁴-⁹])"
"""The place between a number and its exponent, so that `10⁶` is not 106."""
_DRAWN_OUT = re.compile("(?<=[ァ-ヺー][ァ-ヺー])ー(?![ァ-ヺー])")
"""A final long vowel mark in a katakana word of more than two characters, which is optional."""
_HOW_LARGE = (
    r"(?<![很许更最众诸伦])多[长大高远](?=时间|程度|范围|数量|年[纪龄]|岁|\W|$)"
    r"|(?<=[有是了要])多[长大高远](?![山楼学])"
)
"""Chinese questions about length, size, height or distance, but not inside names (`多伦多大学`)."""

_ASKING = (
    "为什么|什么时候|什么样|什么|如何|怎么样|怎么办|怎么|怎样|在哪(?![一二两三几些个種种位名类吒怕里儿])|"
    r"在?哪(?:里|儿|[一二两三几]?[些个種种位名类家支场部项所座条款句段首届年月天国块份幅]|一|(?!\w))|"
    rf"多少|多久|{_HOW_LARGE}|"
    "几个|何时|何地|何处|"
    "为何|是否|能否|可否|可以|应该|能够|请问|谁|吗|呢|"
    "為什麼|什麼時候|什麼樣|什麼|怎麼樣|怎麼辦|怎麼|怎樣|哪個|哪種|哪裡|幾個|何時|何處|為何|應該|能夠|請問|誰|嗎|"
    "どのように|どうやって|どうすれば|どうして|どのくらい|どこで|どこに|どこ|どんな|どれ|どの|なぜ|いつ|いくつ|いくら|だれ|"
    "何ですか|できますか|ですか|ますか|とは|するには|"
    r"(?:(?<=[\w)])(?:이?란|은|는)\s+)?(?:무엇|뭐)(?:입니까|인가요?|이다|예요|을|이)?|(?<=\w)이란(?=\s*\?|\s*$)|"
    r"(?<=[가-힣])(?:(?:입|습|합|됩)니까|나요|까요)(?=\s*\?|\s*$)|"
    "어떻게|언제|어디에서|어디서|어디에|어디|누가|누구|왜|어느|어떤|얼마나|"
    "อย่างไร|อะไร|ที่ไหน|เมื่อไหร่|เมื่อใด|ทำไม|เท่าไร|เท่าไหร่|ใคร|ไหน"
)
"""Stop words of questions in Chinese, Japanese, Korean and Thai, which are joined to other words. Other languages have
the engine's lists, or none."""


@lru_cache(maxsize=256)
def stemmer_of(language: str | None) -> str | None:
    """Return the stemmer for an ISO 639 code, an empty string if it has none, or None for an unknown language."""
    return STEMMERS.get(language.lower().replace("_", "-").partition("-")[0], "") if language else None


@dataclass(frozen=True)
class Stemmers:
    """Selects a chunk's stemmer. `chosen`: all stemmers in use, the main one first; questions are stemmed with each.

    The main one also serves chunks of unknown and rare languages. `accents`: `keep`, `fold`, or `auto` (by language).
    """

    chosen: tuple[str, ...]
    accents: str = "auto"

    @classmethod
    def among(cls, languages: Mapping[str, float], accents: str = "auto") -> Stemmers:
        """Return the stemmers for a run with these languages and weights (empty code: unknown); English by default."""
        weights: dict[str, float] = {}
        for language, weight in languages.items():
            if (stemmer := _named(stemmer_of(language), accents)) is not None:
                weights[stemmer] = weights.get(stemmer, 0) + weight
        least = MIN_SHARE * sum(weights.values())
        frequent = sorted((name for name in weights if weights[name] >= least), key=lambda name: (-weights[name], name))
        return cls(tuple(frequent) or (f"english{KEEPS if accents == 'keep' else ''}",), accents)

    @classmethod
    def none(cls, accents: str = "auto") -> Stemmers:
        """Return the value for a run without stemming."""
        return cls((KEEPS if accents == "keep" else "",), accents)

    def of(self, language: str | None) -> str:
        """Return the stemmer for a chunk's language."""
        stemmer = _named(stemmer_of(language), self.accents)
        return stemmer if stemmer in self.chosen else self.chosen[0]


def _named(stemmer: str | None, accents: str) -> str | None:
    """Return the stemmer's name including its treatment of accents; empty for a stemmer that would only keep them."""
    if stemmer is None or accents == "auto":
        return stemmer
    if stemmer in _ACCENTED:
        return stemmer if accents == "keep" else ""
    return f"{stemmer}{KEEPS}" if accents == "keep" else stemmer


def plain(stemmer: str) -> str:
    """Return the stemmer's name without its accents suffix, as word lists use it."""
    return stemmer.removesuffix(KEEPS)


@lru_cache(maxsize=128)
def analyzer(stemmer: str) -> TextAnalyzer:
    """Return the analyzer: words, lower case, stems (none for an empty name), folded accents if the language allows."""
    return _built(plain(stemmer), fold=_folds(stemmer))


@lru_cache(maxsize=64)
def plain_analyzer(stopwords: str = "") -> TextAnalyzer:
    """Return the analyzer for unstemmed lower-case words, without a language's stop words if one is given."""
    return _built("", stopwords=plain(stopwords))


@lru_cache(maxsize=128)
def telling_analyzer(stemmer: str, stopwords: str) -> TextAnalyzer:
    """Return the analyzer with a stemmer and without a language's stop words."""
    return _built(plain(stemmer), fold=_folds(stemmer), stopwords=plain(stopwords))


def _folds(stemmer: str) -> bool:
    return stemmer not in _ACCENTED and not stemmer.endswith(KEEPS)


def _built(stemmer: str, *, fold: bool = False, stopwords: str = "") -> TextAnalyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    builder = builder.filter(Filter.remove_long(LONGEST_WORD)).filter(Filter.lowercase())
    if stopwords == "english":
        builder = builder.filter(Filter.custom_stopword(folding.folded(_ENGLISH_STOPWORDS).split()))
    elif stopwords in _STOP_LISTS:
        builder = builder.filter(Filter.stopword(stopwords))
    if stemmer and stemmer not in _ACCENTED:
        builder = builder.filter(Filter.stemmer(stemmer))
    if fold:
        builder = builder.filter(Filter.ascii_fold())
    return builder.build()


class _Words(dict[str, str]):
    """Cache of an analyzer's term for each word; empty if the word has none."""

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


def terms(text: str, stemmer: str, stopwords: str = "") -> list[str]:
    """Return the terms of a short text, without a language's stop words if one is given."""
    words = _words_of(stemmer, stopwords)
    if text.isascii():
        return [term for word in _ASCII_WORD.findall(text) if (term := words[word])]
    return words.analyze(text)


def each_term(words: Sequence[str], stemmer: str) -> list[str]:
    """Return the term of each of these words of letters and digits, by one call; empty for a word that is too long."""
    short = [word if len(word.encode()) <= LONGEST_WORD else "0" for word in words]
    made = analyzer(stemmer).analyze(" ".join(short))
    if len(made) != len(words):
        made = ["".join(analyzer(stemmer).analyze(word)) for word in short]
    return [term if word is kept else "" for term, word, kept in zip(made, words, short, strict=True)]


def telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """Return the stemmed words of a text without stop words, or all if there are only stop words."""
    if stop_list and (options := options_in(text)):
        return _telling_options(text, stemmer, stop_list, options)
    if not text.isascii() or "'" in text:
        text = bigrams(without_endings(text, (stemmer,)) if stop_list else text)
    return terms(text, stemmer, stop_list) or terms(text, stemmer)


def _telling_options(text: str, stemmer: str, stop_list: str, options: frozenset[str]) -> list[str]:
    """Return the stemmed words of a text with command line options, whose letters may be stop words: `winch -a`."""
    text = bigrams(without_endings(text, (stemmer,)))
    content = options.union(plain_analyzer(stop_list).analyze(text))
    words = zip(plain_analyzer().analyze(text), analyzer(stemmer).analyze(text), strict=True)
    return [term for word, term in words if word in content]


def options_in(text: str) -> frozenset[str]:
    """Return the words that are options in a text, in lower case: `a` of `-a`, `all` of `--all`."""
    return frozenset(word.lower() for word in _OPTION_WORD.findall(text)) if "-" in text else frozenset()


def normalised(text: str) -> str:
    """Return NFKC text without lone surrogates; ASCII text is returned unchanged."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFKC", text):
        text = re.sub(_POWER, " ", text)
        text = unicodedata.normalize("NFKC", text)
    return text.encode("utf-8", "replace").decode()


def is_unspaced(text: str) -> bool:
    """Return True if a text contains a script without spaces, such as Chinese, Thai or (with joined endings) Korean."""
    return not text.isascii() and re.search(_UNSPACED, text) is not None


def bigrams(text: str) -> str:
    """Rewrite runs of scripts without spaces as overlapping pairs: `黑猫跑` becomes ` 黑猫 猫跑 `.

    A single character stays a word. A final long vowel mark in katakana is dropped: `サーバー` becomes `サーバ`.
    Variant letters are unified (see `folding`).
    """
    if text.isascii():
        return text
    text = folding.folded(_DRAWN_OUT.sub("", text) if "ー" in text else text)
    return re.sub(_UNSPACED, _pairs, text)


def _pairs(run: re.Match[str]) -> str:
    written = run[0]
    pairs = map("".join, pairwise(written)) if len(written) > 1 else written
    return f" {' '.join(pairs)} "


def ranked(context: str, text: str) -> str:
    """Return a text as the analyzer's input. It has the context (title, heading), the text, identifier parts, other
    spellings, and single characters of scripts without spaces. No phrase matches across these parts."""
    both = [_in_words(part) for part in (context, text) if part]
    parts = [identifiers.with_symbols(part) for part, _ in both]
    singles = dict.fromkeys("".join([single for _, single in both]).replace(" ", ""))
    spellings = identifiers.other_spellings("\n".join(parts))
    return f"\n{GAP}\n".join(filter(None, (*parts, *spellings, " ".join(singles))))


def _in_words(text: str) -> tuple[str, str]:
    """Return the normalised text with bigrams, and the single characters of scripts without spaces."""
    if text.isascii():
        return text, ""
    text = normalised(text)
    return bigrams(text), " ".join(dict.fromkeys("".join(re.findall(_UNSPACED, text))))


class _Indexed(dict[bytes, str]):
    """Cache of the terms of each word between ASCII signs, including its other spellings."""

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

    def learn(self, words: Sequence[bytes]) -> None:
        """Add words without other spellings by one call of the analyzer, which has one term for each."""
        plain = [word for word in words if word.isalpha() and word.islower() and len(word) <= LONGEST_WORD]
        if len(self) + len(plain) < _REMEMBERED:
            terms = self._analyze(b" ".join(plain).decode())
            self.update(zip(plain, terms, strict=True))

    def _made(self, word: bytes) -> str:
        text = word.decode()
        terms = self.terms(text) if len(word) <= LONGEST_WORD else self._with_gaps(text)
        others = [self.terms(spelling) for spelling in identifiers.others(word)]
        return f"{terms}{_OTHERS}{_NEXT.join(others)}{_OTHERS}" if others else terms

    def terms(self, text: str) -> str:
        """Return the terms of a text without too long words."""
        return " ".join(self._analyze(text))

    def _with_gaps(self, text: str) -> str:
        return " ".join(self.terms(word) or GAP for word in _BETWEEN.split(text) if word)


@lru_cache(maxsize=32)
def _indexed(stemmer: str) -> _Indexed:
    return _Indexed(analyzer(stemmer).analyze)


def indexed(context: str, text: str, stemmer: str, symbols: Iterable[str] = ()) -> str:
    """Return the terms of a `ranked` text and its toolkits, separated by blanks, with `GAP` where phrases must not
    cross."""
    return in_one(*spelled(f"{context} {GAP} {text}" if context else text, stemmer, symbols))


def spelled(text: str, stemmer: str, symbols: Iterable[str] = ()) -> tuple[str, list[str]]:
    """Return the terms of a text separated by blanks, and the terms of other spellings and of its toolkits. Words
    repeat, so that a cache lookup takes half the time of analysis."""
    text, singles = _in_words(text)
    known = _indexed(stemmer)
    raw = identifiers.with_signs(text).encode("utf-8", "replace")
    terms = " ".join(map(known.__getitem__, raw.translate(identifiers.WORDS).split()))
    more = [known.terms(spelling) for spelling in (*identifiers.grouped(raw), singles, " ".join(symbols)) if spelling]
    if _OTHERS not in terms:
        return terms, more
    parts = terms.split(_OTHERS)
    return "".join(parts[::2]), [*_NEXT.join(parts[1::2]).split(_NEXT), *more]


def terms_in(text: str, stemmer: str) -> set[str]:
    """Return the distinct terms of a text, without their positions."""
    text, singles = _in_words(text)
    terms_of_word = _indexed(stemmer)
    raw = identifiers.with_signs(text).encode("utf-8", "replace")
    words = {*raw.translate(identifiers.WORDS).split()}
    terms_of_word.learn([word for word in words if word not in terms_of_word])
    terms = [terms_of_word[word] for word in words]
    terms += [terms_of_word.terms(spelling) for spelling in (*identifiers.grouped(raw), singles) if spelling]
    return {*" ".join(terms).replace(_OTHERS, " ").replace(_NEXT, " ").split()}


def in_one(terms: str, others: Iterable[str]) -> str:
    """Return the results of `spelled` as one text with distinct spellings."""
    return f" {GAP} ".join([terms, *filter(None, dict.fromkeys(others))])


def by_blanks() -> TextAnalyzer:
    """Return the index analyzer for already `indexed` terms."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.remove_long(LONGEST_WORD)).build()


def placed(terms: str) -> Iterator[tuple[int, str]]:
    """Yield each of the `indexed` terms with its position."""
    return ((place, term) for place, term in enumerate(terms.split()) if term != GAP)


def positions(text: str, stemmer: str) -> Iterator[tuple[int, str]]:
    """Yield each term of a ranked text or question with its position; too long words leave a gap."""
    if text.isascii() and max(map(len, text.split()), default=0) <= LONGEST_WORD:
        return enumerate(analyzer(stemmer).analyze(text))  # in a third of the time
    return ((token.position, token.text) for token in analyzer(stemmer).pre_tokenize(text).tokens)


def without_joined(text: str, stemmers: Iterable[str]) -> str:
    """Return a text without suffixes joined by an apostrophe, such as `'s`; `stemmers` are those of its languages."""
    if "'" not in text and "’" not in text:
        return text
    text = _ENDINGS.sub("", text)
    return _TURKISH_ENDINGS.sub("", text) if "turkish" in map(plain, stemmers) else text


def without_endings(text: str, stemmers: Iterable[str] = ()) -> str:
    """Return a text without stop words joined to other words: `what's` becomes `what`, `如何配置` becomes `配置`."""
    text = without_joined(text, stemmers)
    if not is_unspaced(text):
        return text
    rest = re.sub(_ASKING, " ", text)
    return rest if _LETTER.search(rest) else text
