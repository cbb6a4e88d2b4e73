"""What docstrings say of a parameter, of what comes back and of what is raised."""

import pytest

from biblicus.answering.quoting import docstrings
from biblicus.models.extraction import Span

DRAWN = '''def haul(boats, hands=2, *ropes):
    """Haul boats up.

    Parameters
    ----------
    boats : list of Boat
        What is hauled. The ``hands`` come first.
    hands, feet : int, optional
        How many pull.

        Never none.
    *ropes
        Of hemp.

    Returns
    -------
    up : bool
        Whether all are up.

    Raises
    ------
    Ebb
        If there is none.

    Notes
    -----
    hands : none
    """
    hands: int = 3
'''
FIELDS = '''def haul(boats, hands: int = 2):
    r"""Haul boats up.

    :param boats: what is hauled,
        one by one
    :param int hands: how many pull
    :returns: whether all are up
    :raises Ebb: if there is none
    """
'''
INDENTED = """def haul(boats, hands=2):
    '''Haul boats up.

    Args:
        boats (list[Boat]): What is hauled,
            one by one.
        hands: How many pull.

    Returns:
        Whether all are up.
    '''
"""


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (DRAWN, "boats", "boats : list of Boat\nWhat is hauled. The hands come first."),
        (DRAWN, "hands", "hands, feet : int, optional\nHow many pull.\nNever none."),
        (DRAWN, "feet", "hands, feet : int, optional\nHow many pull.\nNever none."),
        (DRAWN, "ropes", "*ropes\nOf hemp."),
        (DRAWN, "tide", None),
        (FIELDS, "boats", "boats: what is hauled,\none by one"),
        (FIELDS, "hands", "hands: how many pull"),
        (INDENTED, "boats", "boats (list[Boat]): What is hauled,\none by one."),
        (INDENTED, "hands", "hands: How many pull."),
        ("def haul(hands: int):\n    return hands\n", "hands", None),
        ("def haul(hands):\n    x = '''\n    hands : int\n        none\n    '''\n", "hands", None),
        (
            "def haul(\n    hands,\n):  # up\n    # so\n    '''\n    hands: How many.\n    '''\n",
            "hands",
            "hands: How many.",
        ),
    ],
)
def test_what_is_said_of_a_parameter(text: str, name: str, says: str | None) -> None:
    assert _read(text, docstrings.parameter(text, name)) == says


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (DRAWN, docstrings.RETURNS, "up : bool\nWhether all are up."),
        (DRAWN, docstrings.RAISES, "Ebb\nIf there is none."),
        (FIELDS, docstrings.RETURNS, "whether all are up"),
        (FIELDS, docstrings.RAISES, "Ebb: if there is none"),
        (INDENTED, docstrings.RETURNS, "Whether all are up."),
        (INDENTED, docstrings.RAISES, None),
        ("def haul():\n    pass\n", docstrings.RETURNS, None),
    ],
)
def test_what_comes_back_and_is_raised(text: str, name: str, says: str | None) -> None:
    assert _read(text, docstrings.section(text, name)) == says


def _read(text: str, span: Span | None) -> str | None:
    return docstrings.readable(text, span) if span else None


@pytest.mark.parametrize(
    "unit", ["a, ", "a: (", "    a : b\n", '"""\n', "Returns\n---\n", ":param a", "\n", " a\n", "a\n"]
)
def test_long_docstrings_are_read_once(unit: str) -> None:
    text = f'def haul():\n    """{unit * 20_000}'
    assert docstrings.parameter(text, "zinc") is None
    assert docstrings.section(text, docstrings.RAISES) is None
