"""What is said of items comes from extractors: where one gives something else, all items have to be described anew."""

import re

from biblicus import plugins
from biblicus.contracts import Given
from biblicus.corpus import refresh
from biblicus.models.digest import digest

_VERSION_OF_OURS = re.compile(r"[\w-]+/\d+")
"""What a fingerprint begins with; versions of packages stand behind it."""


def test_a_new_version_of_an_extractor_is_one_of_all_descriptions() -> None:
    """Where this fails: raise `refresh.VERSION`, and write both here."""
    versions: list[str] = []
    for name in sorted(plugins.OURS["extraction"]):
        match = _VERSION_OF_OURS.match(plugins.make("extraction", name, {}, Given()).fingerprint)
        versions += [match[0]] if match else []
    assert len(versions) > 30
    assert (refresh.VERSION, digest(versions, 12)) == ("53", "1e368a707342")
