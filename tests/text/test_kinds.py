"""What kinds of text are told by."""

from biblicus.text import kinds, replies


def test_mail_is_what_replies_know():
    assert kinds._MAIL == replies.TYPES
