"""Decide which items a reader may see, from the present catalog and `access.yml`. All rules of an item must agree.

Rules narrow only. An item whose rule is unreadable, or names a group that the reader is not known to be in, is hidden.
If `access.yml` is unreadable, every item is hidden from everybody but the owner."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field

from biblicus.config import read_mapping
from biblicus.corpus.catalog import Catalog, parse_line
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, BiblicusError
from biblicus.models.frozen import dataclass
from biblicus.models.sources.readers import GROUP, KEY, OWNER, Reader, Rule, name_of, rule_of, rules_of
from biblicus.text.fitting import fits_path
from biblicus.text.paths import MEMBER, holder_of

WHERE = f"{FOLDER}/access.yml"
_MARK = f'"{KEY}":'.encode()


@dataclass(frozen=True)
class Access:
    """Content of `access.yml`. `paths`: globs with their readers; `groups`: people of each group.
    `problem`: why the file could not be read."""

    paths: Mapping[str, Rule] = field(default_factory=dict)
    groups: Mapping[str, Rule] = field(default_factory=dict)
    problem: str = ""

    def rules(self, path: str) -> Iterator[Rule]:
        """Yield the rules for a path."""
        if self.problem:
            yield OWNER
        for glob, rule in self.paths.items():
            if fits_path(path, (glob,)):
                yield rule


def path_of(corpus: CorpusFolder) -> str:
    """Return the place of `access.yml`."""
    return f"{corpus.home}/access.yml"


def read_access(corpus: CorpusFolder) -> Access:
    """Read `access.yml`; a missing file has no rules."""
    where = path_of(corpus)
    if not os.path.lexists(where):
        return Access()
    try:
        data = read_mapping(files.read(where, limit=files.SMALL).decode(), WHERE)
        if unknown := sorted(data.keys() - {"paths", "groups"}):
            raise BadData(f'unknown key "{unknown[0]}".')
        return Access(_lists(data, "paths"), _lists(data, "groups"))
    except (OSError, UnicodeDecodeError) as error:
        return Access(problem=f"it cannot be read: {error}")
    except BiblicusError as error:
        return Access(problem=error.message)


def _lists(data: Mapping[str, object], key: str) -> dict[str, Rule]:
    """Return the lists of readers under a key of `access.yml`. Raises `BadData`."""
    lists = data.get(key)
    if lists is None:
        return {}
    if not isinstance(lists, dict):
        raise BadData(f"{key}: expected names with lists of readers.")
    rules = {name: rule_of(value) for name, value in lists.items()}
    for name, rule in rules.items():
        if rule is None or not isinstance(name, str) or not name.strip():
            raise BadData(f"{key}.{name}: expected a list of readers.")
    return {name: rule for name, rule in rules.items() if rule is not None}


@dataclass(frozen=True)
class Visibility:
    """The rules of a catalog's items. `rules`: by path, of items that not everybody may see."""

    access: Access
    rules: Mapping[str, tuple[Rule, ...]]

    def names(self, reader: Reader, groups: Mapping[str, Rule]) -> frozenset[str]:
        """Return the reader's name and groups, as far as rules mention them. `groups`: of the user's settings.

        A group of `access.yml` narrows one of the same name that the settings or the reader's token define."""
        mentioned = {name for rules in self.rules.values() for rule in rules for name in rule}
        person, narrowed = name_of(reader.name), self.access.groups
        names = {person} if person and not person.startswith(GROUP) else set[str]()
        for group in {name.removeprefix(GROUP) for name in mentioned if name.startswith(GROUP)}:
            is_in = group in reader.groups or person in groups.get(group, ())
            if group not in groups and not is_in:
                is_in = person in narrowed.get(group, ())
            if is_in and person in narrowed.get(group, (person,)):
                names.add(GROUP + group)
        return frozenset(names & mentioned)

    def hidden(self, names: frozenset[str]) -> frozenset[str]:
        """Return the paths of items that a reader with these names may not see."""
        return frozenset(path for path, rules in self.rules.items() if not all(map(names.intersection, rules)))

    def undefined(self, groups: Mapping[str, Rule]) -> Iterator[tuple[str, str]]:
        """Yield each path whose rules name a group that neither the settings nor `access.yml` define."""
        for path, rules in self.rules.items():
            names = {name.removeprefix(GROUP) for rule in rules for name in rule if name.startswith(GROUP)}
            for group in sorted(names - groups.keys() - self.access.groups.keys()):
                yield path, group


def visibility(corpus: CorpusFolder, catalog: Catalog) -> Visibility | None:
    """Return the rules of a catalog's items; None if everybody may see all."""
    access = read_access(corpus)
    own_rules = {path: rules_of(parse_line(entry.line).metadata) for path, entry in catalog.of_all.holding(_MARK)}
    if not own_rules and not access.paths and not access.problem:
        return None
    paired = {path: _transcript(entry.line) for path, entry in catalog.of_all.holding(transcripts.MARK)}
    rules: dict[str, tuple[Rule, ...]] = {}
    for path in catalog.entries:
        if item_rules := tuple(_of_item(path, own_rules, access, paired.get(path, ""))):
            rules[path] = item_rules
    return Visibility(access, rules)


def hidden_from(corpus: CorpusFolder, catalog: Catalog, reader: Reader | None) -> frozenset[str] | None:
    """Return the paths that a reader may not see; None for the owner, and if everybody may see all."""
    rules = None if reader is None else visibility(corpus, catalog)
    return None if rules is None or reader is None else rules.hidden(rules.names(reader, corpus.settings.groups))


def _of_item(path: str, stated: Mapping[str, tuple[Rule, ...]], access: Access, transcript: str) -> Iterator[Rule]:
    """Yield the rules of an item, of its transcript, and of every file that contains it."""
    if transcript:
        yield from access.rules(transcript)
    while path:
        yield from stated.get(path, ())
        yield from access.rules(path)
        path = holder_of(path) if MEMBER in path else ""


def _transcript(line: bytes) -> str:
    return transcripts.of_item(parse_line(line)).path
