"""A user's model of sentence-transformers: located in a folder or on the hub, and loaded without running its code."""

from __future__ import annotations

import logging
import os
import re
import warnings
from pathlib import Path
from typing import Any

from biblicus.contracts import Given
from biblicus.errors import EmbedderUnavailable, ExtraMissing

_DOWNLOADED = ["*.json", "*.txt", "*.model", "*.safetensors"]
_NOT_DOWNLOADED = ["onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*"]
_HUB_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)?")


def located(name: str, revision: str | None, what: str) -> Path:
    """Return the folder of a model: as given (`/…`, `~/…`), or downloaded from the hub if it is not here yet."""
    if name[0] in "/~":
        return Path(name).expanduser()
    if not _HUB_NAME.fullmatch(name):
        raise EmbedderUnavailable(name, "it is neither an absolute folder nor a name on the hub")
    try:
        from huggingface_hub import snapshot_download  # imported late: an extra
    except ImportError as error:
        raise ExtraMissing(what, "embed") from error
    options: dict[str, Any] = {
        "revision": revision,
        "allow_patterns": _DOWNLOADED,
        "ignore_patterns": _NOT_DOWNLOADED,
    }
    try:
        return Path(snapshot_download(name, local_files_only=True, **options))
    except Exception:  # not here yet; the library has no narrower class for that
        pass
    try:
        return Path(snapshot_download(name, **options))
    except Exception as error:  # network, name or permission; the library's message gives the reason
        cause = str(error).split("\n", 1)[0].rstrip(".")
        raise EmbedderUnavailable(name, f"it is not on this machine and could not be fetched ({cause})") from error


def loaded(kind: str, folder: Path, name: str, what: str, given: Given, **options: Any) -> Any:
    """Return the model as an instance of the class `kind` of sentence-transformers. Raises `ExtraMissing`, and
    `EmbedderUnavailable` for an invalid folder. Importing the library costs about 8 s."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: models are local
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import sentence_transformers  # imported late: an extra
            from transformers.utils import logging as chatter
    except ImportError as error:
        raise ExtraMissing(what, "embed") from error
    chatter.disable_progress_bar()
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    options |= {"trust_remote_code": False, "local_files_only": True, "model_kwargs": {"use_safetensors": True}}
    try:
        device = None if given.device == "auto" else given.device
        return getattr(sentence_transformers, kind)(str(folder), device=device, **options)
    except Exception as error:  # any failure of the library for an invalid folder
        cause = str(error).split("\n", 1)[0].rstrip(".") or type(error).__name__
        raise EmbedderUnavailable(name, f"it does not load ({cause})") from error


def clean(text: str) -> str:
    """Return a text without lone surrogates, which no tokenizer accepts."""
    return text.encode("utf-8", "replace").decode()
