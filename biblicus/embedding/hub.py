"""Location of a user's model: a folder, or a local copy from the hub."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

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
