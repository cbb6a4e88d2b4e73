"""The things that a question asks about: its nouns, as far as the words before them tell, and its names and numbers.

"What is the root password of the router?" names a password, a root and a router. Of verbs a text may have others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from biblicus.text.terms import analysis


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[^\W_](?:[\w.+#-]*\w)?|[^\w\s'’]")
_BEFORE: Mapping[str, frozenset[str]] = {
    "english": _words(
        "the a an this that these those my our your his her their its any each some all many much of in on at for from "
        "with about by into during after before between under over against without regarding concerning per as"
    ),
    "dutch": _words("de het een deze die dit dat mijn ons onze jouw uw haar hun van in op voor met door over bij"),
    "french": _words(
        "le la les l d du des de un une au aux à en dans sur pour par avec sans son sa ses leur leurs notre nos mon ma "
        "mes ce cette ces entre contre depuis chez"
    ),
    "spanish": _words(
        "el la los las un una unos unas de del al a en con por para sin sobre su sus nuestro nuestra mi este esta "
        "estos estas entre contra desde"
    ),
    "italian": _words(
        "il lo la l i gli le un uno una di d del dello della dell dei delle degli al alla in nel nella con per"
    ),
    "portuguese": _words("o a os as um uma do da dos das no na nos nas de em com por para sem sobre seu sua este esta"),
}
"""Articles and prepositions, behind which nouns stand."""
_RUNS = ("english", "dutch")
"""Languages where all the words that stand behind them, up to the next of these or a word of those below, are of a
noun: adjectives stand before it. Else the next word is."""
_ENDS = _words(
    "is are was were be been being am do does did has have had having can could will would shall should must may might "
    "not to when where who whom whose which what why how he she they we you i it me us them there if then than and or "
    "but so long zijn waren wordt worden werd heeft hebben kan kunnen moet wil en of maar"
)
_ASKS_BACK = _words(
    "is are was were do does did has have had can could will would should must may might zijn heeft kan"
)
"""Behind these the verb stands at the end: "does the grant end", "was the school founded"."""
_TOPIC = _words("about regarding concerning over")
"""Behind these stands no verb any more: "say about the drone crash"."""
_GENERAL = _words(
    "name names reason reasons amount part parts type types kind kinds sort sorts number numbers percentage percent "
    "example examples result results time times period way ways place places area areas role term terms word words "
    "person people group one ones first last main same other others most more level fact case end use namen art arten "
    "teil teile jahr jahre rolle zahl anzahl grund gründe gruppe personen leute beispiel ort zeit ergebnis prozent "
    "new next current latest previous recent nouveau nouvelle nouvel prochain prochaine actuel actuelle dernier "
    "dernière ancien ancienne nuevo nueva próximo próxima actual nuovo nuova prossimo prossima attuale nieuwe volgende "
    "huidige prozentsatz nom noms nombre sorte raison partie année exemple tipo razón parte año ejemplo"
)
"""Nouns that texts seldom have, though they tell what is asked; and what is said of such as are of now."""
_OF_WHICH = re.compile(r"(?:welche[mnrs]?|was)$", re.IGNORECASE)
"""Behind it the kind of thing that is asked for stands, which an answer need not name."""
_OF = re.compile(r"['’]s\b")
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=256)
def things(question: str, stemmer: str) -> frozenset[str]:
    """The terms of the things that a question names."""
    words = _WORD.findall(_OF.sub(" of ", question))
    nouns = [word for word in _nouns(words, stemmer) if word.lower() not in _GENERAL]
    return frozenset(analysis.terms(" ".join(nouns), stemmer))


def _nouns(words: Sequence[str], stemmer: str) -> Iterator[str]:
    if stemmer == "german":
        yield from (word for last, word in pairwise(words) if word[0].isupper() and not _OF_WHICH.match(last))
    else:
        yield from (word for word in words[1:] if word[0].isupper() and len(word) > 1)
    yield from (word for word in words[1:] if _DIGIT.search(word))
    before = _BEFORE.get(stemmer, frozenset())
    if stemmer in _RUNS:
        yield from _runs(words, before)
    else:
        yield from (word for last, word in pairwise(words) if last.lower() in before and word.lower() not in before)


def _runs(words: Sequence[str], before: frozenset[str]) -> Iterator[str]:
    """The words behind each of `before`, but for a verb at the end."""
    run: list[str] = []
    is_behind = asks_back = is_topic = False
    for word in (*words, "?"):
        lower = word.lower()
        if is_behind and word[0].isalnum() and lower not in before and lower not in _ENDS:
            run.append(word)
            continue
        may_end_in_verb = asks_back and not is_topic and len(run) > 1 and run[-1].islower()
        yield from run[:-1] if may_end_in_verb and lower != "of" and lower not in _ENDS else run
        run, is_behind = [], lower in before
        asks_back = asks_back or lower in _ASKS_BACK
        is_topic = is_topic or lower in _TOPIC
