"""Where a user has no home folder, the setting to set is named."""

import pytest

from biblicus.errors import UsageError
from biblicus.guards.processes import _user_folder


def test_a_missing_home_folder_names_what_to_set():
    with pytest.raises(UsageError, match="HOME is not set") as refused:
        _user_folder("state", None, None, "~")
    assert refused.value.hint == "export HOME=/a/folder/of/yours"
    assert _user_folder("state", "/mine", None, "~").as_posix() == "/mine"
