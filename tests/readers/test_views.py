"""A reader gets from a corpus what the corpus without the hidden items would give, to the last digit of a score."""

import os
from collections.abc import Callable
from pathlib import Path

from biblicus.service.askers.here import here
from tests.readers.corpora import Made, reader_of, reply

COUNT = int(os.environ.get("READERS_QUESTIONS", "500"))
"""Questions of all readers together; `make test-readers` asks 20,000."""
READERS = int(os.environ.get("READERS", "2"))


def test_a_reader_is_answered_as_by_a_corpus_without_the_hidden_items(
    tmp_path: Path, tally: Callable[..., None]
) -> None:
    made = Made(tmp_path, seed=int(os.environ.get("READERS_SEED", "1")))
    seen = set()
    asker = here(made.folder)
    for number in range(READERS):
        reader = reader_of(number)
        hidden = made.hidden(reader)
        assert hidden
        seen.add(hidden)
        reference = here(made.without(tmp_path / f"without{number}", hidden))
        for verb, request in made.requests(hidden, COUNT // READERS):
            got, expected = reply(asker, verb, request, reader), reply(reference, verb, request)
            assert got == expected, (reader, verb.name, request)
        tally(questions=COUNT // READERS)
        reference.close()
    assert len(seen) > min(READERS, 4) // 2
    asker.close()
