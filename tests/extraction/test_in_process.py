"""Extractors in this process: what they raise costs a file, not the run."""

import pytest

from biblicus.contracts import MediaHint
from biblicus.corpus.extracted.extractions import extracted
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction


class Odd:
    guarded = False
    fingerprint = "odd/1"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction:
        match raw:
            case b"raise":
                raise ValueError("broken\nin two lines")
            case b"fail":
                raise ExtractionFailed("the file is torn")
            case b"half":
                return Extraction("a\ud800")
        return Extraction(raw.decode())


@pytest.mark.parametrize(
    ("raw", "reason"),
    [(b"raise", "ValueError: broken in two lines"), (b"fail", "the file is torn"), (b"half", "UnicodeEncodeError")],
)
def test_what_it_raises_is_the_reason_why_a_file_has_no_text(raw: bytes, reason: str) -> None:
    outcome = extracted(Odd(), raw, MediaHint("a", "b"))
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == "failed"
    assert outcome.reason.startswith(reason)


def test_what_it_gives_is_the_text() -> None:
    assert extracted(Odd(), "né".encode(), MediaHint("a", "b")) == Extraction("né")
