"""Speech to text: transcribers are plug-ins of the kind `stt`, configured by the user and named in recipes."""

from __future__ import annotations

from dataclasses import replace

from biblicus.extraction.kit.composing import Composer
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import time_code
from biblicus.models.recognition import Transcript


def heard(said: Extraction | NoExtraction, transcript: Transcript) -> Extraction | NoExtraction:
    """Return the metadata followed by the transcript, each segment as a spot of time."""
    composer = Composer()
    for segment in sorted(transcript.segments):
        if segment.text.strip():
            composer.spot("time", "", time_code(segment.start), time_code(segment.end))
            composer.line(segment.text)
    if composer.is_empty:
        return said if isinstance(said, Extraction) else NoExtraction("empty", "nothing is said in the recording")
    spoken = composer.extraction(language=transcript.language, titled=False)
    if isinstance(said, NoExtraction) or isinstance(spoken, NoExtraction):
        return spoken
    before = f"{said.text.rstrip()}\n\n"
    spots = tuple(spot._replace(offset=spot.offset + len(before)) for spot in spoken.spots)
    return replace(
        said,
        text=before + spoken.text,
        language=said.language or spoken.language,
        spots=spots,
        headings=tuple(replace(heading, offset=heading.offset + len(before)) for heading in spoken.headings),
    )
