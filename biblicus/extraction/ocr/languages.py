"""Language codes (ISO 639-1) of recipes, the engines' names for them, and their scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Code = Annotated[str, Field(pattern=r"^[a-z]{2}$")]


class Options(BaseModel):
    """Options of every engine. `languages`: two-letter codes of the pages' languages. `pages`: `scanned` reads pages
    without a text layer; `all` reads every page of a PDF, for text layers that are unusable."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    languages: tuple[Code, ...] = Field(("en",), min_length=1)
    pages: Literal["scanned", "all"] = "scanned"


_LATIN = {
    "af": "afr", "az": "aze", "bs": "bos", "ca": "cat", "cs": "ces", "cy": "cym", "da": "dan", "de": "deu",
    "en": "eng", "es": "spa", "et": "est", "eu": "eus", "fi": "fin", "fr": "fra", "ga": "gle", "gl": "glg",
    "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita", "la": "lat", "lb": "ltz", "lt": "lit",
    "lv": "lav", "mi": "mri", "ms": "msa", "mt": "mlt", "nl": "nld", "no": "nor", "oc": "oci", "pl": "pol",
    "pt": "por", "qu": "que", "ro": "ron", "sk": "slk", "sl": "slv", "sq": "sqi", "sv": "swe", "sw": "swa",
    "tr": "tur", "uz": "uzb", "vi": "vie",
}  # fmt: skip
_EAST_ASIAN = {"zh": "chi_sim", "ja": "jpn"}
_OTHERS = {
    "am": "amh", "ar": "ara", "as": "asm", "be": "bel", "bg": "bul", "bn": "ben", "el": "ell", "fa": "fas",
    "gu": "guj", "he": "heb", "hi": "hin", "hy": "hye", "ka": "kat", "kk": "kaz", "km": "khm", "kn": "kan",
    "ko": "kor", "lo": "lao", "mk": "mkd", "ml": "mal", "mn": "mon", "mr": "mar", "my": "mya", "ne": "nep",
    "pa": "pan", "ru": "rus", "si": "sin", "sr": "srp", "ta": "tam", "te": "tel", "th": "tha", "uk": "ukr",
    "ur": "urd",
}  # fmt: skip
_MODELLED = _LATIN | _EAST_ASIAN
_TESSERACT = _MODELLED | _OTHERS


def without_model(languages: Sequence[str]) -> list[str]:
    """Return the languages whose script rapidocr cannot read; it has models for Latin, Chinese and Japanese."""
    return [language for language in languages if language not in _MODELLED]


def tesseract_name(language: str) -> str:
    """Return tesseract's name of a language, or an empty string if it has none."""
    return _TESSERACT.get(language, "")
