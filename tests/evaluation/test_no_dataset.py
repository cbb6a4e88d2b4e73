"""What is said where a dataset is asked for that is not there."""

import pytest

from biblicus.errors import DatasetNotFound


@pytest.mark.parametrize(
    ("known", "hint"), [(["mine"], "biblicus datasets list"), ([], "biblicus datasets synthesize")]
)
def test_where_there_is_none_one_is_made(known: list[str], hint: str) -> None:
    assert DatasetNotFound("own", known).hint == hint
