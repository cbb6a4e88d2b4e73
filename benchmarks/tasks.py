"""Questions for how something is done in other languages than English, made from the headings of a folder.

`python -m benchmarks.tasks FOLDER LANGUAGE [COUNT] [-v]`, where FOLDER is an indexed corpus: "Pakete installieren" and
"Installation von Paketen" become "Wie installiere ich Pakete?" or the like. Asked is whether the section called so
comes first, among three, and whether the quoted answer begins in it.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from biblicus.connectors.python import Corpus
from biblicus.stores.tables import TableReader

_SEED = 5
_WORDS = 8
_NUMBER = re.compile(r"^[\d.]+\s*")
_PARTICLES = "zusammen zurück weiter wieder hinzu fort frei nach auf aus bei ein her hin los mit vor weg ab an um zu"
_GERMAN_VERB = re.compile(r"((?:(?!mit |und |von |in |zum |um |oder )\S+ ){1,5})([a-zäöü]{4,}en)")
_GERMAN_NOUN = re.compile(r"(\w+?)(ation|ierung|ung) (?:von|der|des|eines|einer) (.+)")
_ROMANCE = {
    "es": (r"(\w+(?:ar|er|ir)) (.+)", r"(\w+)ación (?:de(?: la| los| las)? |del )(.+)", "ar", "¿Cómo {} {}?"),
    "fr": (r"(\w+(?:er|ir|re)) (.+)", r"(\w+)ation (?:de(?:s| la)? |du |d['’])(.+)", "er", "Comment {} {} ?"),
    "it": (
        r"(\w+(?:are|ere|ire)) (.+)", r"(\w+)azione (?:d(?:i|el|ella|ei|egli|elle) |dell['’])(.+)", "are",
        "Come {} {}?",
    ),
    "pt": (r"(\w+(?:ar|er|ir)) (.+)", r"(\w+)ação (?:d[eoa]s? )(.+)", "ar", "Como {} {}?"),
}  # fmt: skip
"""A heading that begins with a verb, one that begins with a noun made of one, that verb's ending, the question."""
_RUSSIAN: Mapping[str, str] = {
    "Установка": "установить", "Настройка": "настроить", "Создание": "создать", "Управление": "управлять",
    "Использование": "использовать", "Получение": "получить", "Удаление": "удалить", "Проверка": "проверить",
    "Изменение": "изменить", "Обновление": "обновить", "Подготовка": "подготовить", "Поиск": "найти",
    "Сборка": "собрать", "Выбор": "выбрать", "Добавление": "добавить", "Отключение": "отключить",
    "Включение": "включить",
}  # fmt: skip
_CHINESE = re.compile(r"((?:安装|配置|设置|创建|管理|使用|删除|更新|检查|升级|启动|编译).{2,20})")


def question(heading: str, language: str) -> str | None:
    """What somebody asks for whom a section of this name tells how; None where it tells nobody."""
    if language == "de":
        return _german(heading)
    if language in _ROMANCE:
        verb, noun, ending, asks = _ROMANCE[language]
        if task := re.match(verb, heading):
            return asks.format(task[1].lower(), task[2])
        made = re.match(noun, heading)
        return made and asks.format(made[1].lower() + ending, made[2])
    if language == "ru":
        first, _, rest = heading.partition(" ")
        return f"Как {_RUSSIAN[first]} {rest}?" if rest and first in _RUSSIAN else None
    chinese = _CHINESE.fullmatch(heading)
    return chinese and f"如何{chinese[1]}？"


def _german(heading: str) -> str | None:
    if task := _GERMAN_VERB.fullmatch(heading):
        particle, verb = _apart(task[2].removesuffix("n"))
        return f"Wie {verb} ich {task[1].strip()}{particle}?"
    if (made := _GERMAN_NOUN.fullmatch(heading)) is None:
        return None
    particle, verb = ("", f"{made[1].lower()}iere") if made[2] != "ung" else _apart(f"{made[1].lower()}e")
    return f"Wie {verb} ich {made[3]}{particle}?"


def _apart(verb: str) -> tuple[str, str]:
    """A particle, and the verb without it."""
    first = next((one for one in _PARTICLES.split() if verb.startswith(one) and len(verb) - len(one) > 4), "")
    return (f" {first}" if first else "", verb.removeprefix(first))


def asked(folder: Path, language: str) -> Iterator[tuple[str, str, set[tuple[str, str | None]]]]:
    """Questions, with the words of the heading and all places that stand under it."""
    runs = (folder.absolute() / ".biblicus" / "local" / "index").iterdir()
    tables = TableReader(max(runs))  # the newest
    paths = {item.row: item.path for item in tables.all_items()}
    places: dict[tuple[str, str], set[tuple[str, str | None]]] = {}
    for chunk in tables.all_chunks():
        heading = _NUMBER.sub("", chunk.heading or "")
        if len(heading.split()) <= _WORDS and (text := question(heading, language)):
            places.setdefault((text, heading), set()).add((paths[chunk.item], chunk.heading))
    tables.close()
    yield from ((text, heading, where) for (text, heading), where in sorted(places.items()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tasks", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("language", choices=["de", *_ROMANCE, "ru", "zh"])
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    questions = list(asked(arguments.folder, arguments.language))
    random.Random(_SEED).shuffle(questions)
    first = three = told = others = 0
    with Corpus.open(arguments.folder) as corpus:
        for text, heading, where in questions[: arguments.count]:
            evidence, answer = corpus.query(text, limit=3).evidence, corpus.answer(text)
            hits = [(piece.path, piece.heading) in where for piece in evidence]
            begins = answer.statements[0].citations[0].piece.heading or "" if answer.statements else ""
            first, three, told = first + (hits[:1] == [True]), three + any(hits), told + begins.endswith(heading)
            others += not begins.endswith(heading) and answer.confidence >= 0.6
            if arguments.verbose and not begins.endswith(heading):
                print(f"  {text} ({heading}): {answer.confidence:.2f} {begins}")
    print(
        f"{len(questions[: arguments.count])} questions: section first {first}, in three {three}, told {told}, "
        f"another at .6 or more {others}"
    )


if __name__ == "__main__":
    main()
