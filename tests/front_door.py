"""The command line as a shell starts it, in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from unittest.mock import patch

import pytest

from biblicus.__main__ import main


def biblicus(words: Sequence[str]) -> int:
    """`biblicus …`: its exit code."""
    with patch.dict(os.environ), patch.object(sys, "argv", ["biblicus", *words]), pytest.raises(SystemExit) as left:
        main()
    assert isinstance(left.value.code, int)
    return left.value.code
