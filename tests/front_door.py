"""The command line as a shell starts it, in this process."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from biblicus.__main__ import main


def program(folder: Path) -> Path:
    """`biblicus` as a shell finds it, in that folder: beside this Python there may be none."""
    made = folder / "biblicus"
    made.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m biblicus "$@"\n', "utf-8")
    made.chmod(0o755)
    return made


def biblicus(words: Sequence[str]) -> int:
    """`biblicus …`: its exit code."""
    with patch.dict(os.environ), patch.object(sys, "argv", ["biblicus", *words]), pytest.raises(SystemExit) as left:
        main()
    assert isinstance(left.value.code, int)
    return left.value.code
