"""What a text is whose name does not tell: by how it begins."""

from __future__ import annotations

import re

_RST = re.compile(
    rb"^[ \t]{0,8}\.\. (?:_[^:\n]{1,80}:[ \t]*\r?$|(?:[a-z]{1,8}:)?(?:toctree|contents|glossary|note|warning|seealso"
    rb"|admonition|important|tip|(?:current|auto)?module|(?:auto)?class|(?:auto)?function|code-block"
    rb"|highlight|index|image|figure|version(?:added|changed)|deprecated)::)",
    re.MULTILINE,
)
_ASCIIDOC = re.compile(
    rb"^(?:\[\[[\w.-]{1,80}\]\][^\n]{0,80}|\[(?:verse|horizontal|source|listing|literal|qanda|glossary|abstract|NOTE|TIP"
    rb"|WARNING|CAUTION|IMPORTANT)\b[^\]\n]{0,80}\]|(?:include|ifn?def|ifeval)::[^\s\[]{0,80}\[[^\n]{0,80}\]|\|==="
    rb"|={2,5} [^=\n]{2,80}[^=\s]|[^\s:.][^\n]{0,80}[^\s:](?:::|;;)\r?\n[ \t]+\w[^\n]{0,200})[ \t]*\r?$"
    rb"|\b(?:link(?:git)?|xref|kbd|footnote):[^\s\[]{0,80}\[[^\]\n]{0,80}\]"
    rb"|\A\s{0,8}[\w.-]{1,40}\([1-9]\w?\)\r?\n={4,60}\r?$",
    re.MULTILINE,
)
"""What only AsciiDoc writes: anchors, styles of blocks, directives, tables, titles, terms with what they mean below,
macros, the title of a manual page."""
_ROFF = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,64}[.'](?:[ \t]*(?:TH|Dd|SH|Sh|so)[ \t]|\\\"|\\#)")
_INFO = re.compile(
    rb"^\x1f\r?\n(?:File: [^\n]{1,200}\bNode: |Indirect:)|\AThis is \S{1,80}, produced by (?:makeinfo|texi2any)\b",
    re.MULTILINE,
)
_WIKI = re.compile(
    rb"\AContent-Type: text/x-zim-wiki|^={2,6} ?[^=\s][^=\n]{0,100}? ?={2,6}[ \t]*\r?$"
    rb"(?=(?s:.*?)(?:\[\[[^\[\]\n]{1,200}\]\]|'''[^'\n]{1,200}'''|^\{\||^ {2,}\* \S|''[^'\n]{1,200}''))",
    re.MULTILINE,
)
"""A heading between signs, and behind it a link, bold text, a table or an item of a list as wikis have them."""
_MAILBOX = re.compile(rb"(?:\xef\xbb\xbf)?From \S[^\n]{1,200} \d{4}\b[^\n]{0,20}\n(?=[\w-]{1,60}:[ \t])")
_HEADER = re.compile(rb"([\w-]{1,60}):[^\n]*\r?\n(?>(?:[ \t][^\n]*\n)*)")
_OF_MAIL = frozenset((b"from", b"to", b"cc", b"date", b"subject"))
_OF_TRANSPORT = frozenset(
    (b"message-id", b"received", b"return-path", b"delivered-to", b"mime-version", b"x-mozilla-status")
)
"""Headers that programs write, by which a message in a file of text is told from a note that looks like one."""
_UNDERLINED = re.compile(rb"^\S[^\n]{2,120}\n([=~*^\"#+-])\1{2,120}[ \t]*\r?$", re.MULTILINE)
_CHAT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,64}(?:"
    rb"\[(?=.{0,8000}\"type\":\s?\"message\")(?=.{0,8000}\"ts\":\s?\"\d{9,11}\.\d{6}\")"  # Slack
    rb"|\{(?=.{0,2000}\"type\":\s?\"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))\")"
    rb"|\{(?=.{0,8000}\"sender_name\":\s?\")(?=.{0,8000}\"timestamp_ms\":\s?\d)"  # Messenger, Instagram
    rb"|\{\s{0,8}\"guild\":\s?\{(?=.{0,4000}\"messages\":\s?\[)"  # Discord
    rb"|\{\s{0,8}\"messages\":\s?\[\s{0,64}\{\s{0,64}\"creator\":\s?\{)",  # Google Chat
    re.DOTALL,
)
"""How a conversation begins that a program has exported."""


_OWN = re.compile(
    rb"\s{0,64}(?:\{(?s:.{0,8000}?)(?:\"run_id\":\s?\"\d{8}T\d{6}Z-[a-z0-9-]{1,64}-[0-9a-f]{6}\""
    rb"|\"corpus_id\":\s?\"[0-9a-f]{32}\",\s{0,64}\"(?:run|item)_id\":\s?\""
    rb"|\"text\":\s?\"Evidence, quoted from documents\. Each piece starts with the mark )"
    rb"|Evidence, quoted from documents\. Each piece starts with the mark "
    rb"|## Evaluation of [^\n]{1,400}\n\n<!-- by Biblicus -->|<\?xml [^\n>]{1,80}>\s?<testsuites name=\"biblicus eval"
    rb"|<!doctype html>(?s:.{0,400}?)<meta name=\"generator\" content=\"Biblicus\">)"
)
"""How a result in JSON, a context pack and a report of Biblicus begin."""


def is_own(head: bytes) -> bool:
    """Whether Biblicus wrote it."""
    return _OWN.match(head) is not None


def of_text(head: bytes) -> str | None:
    """The type of plain text, by its first bytes; None where it is only that."""
    if _MAILBOX.match(head):
        return "application/mbox"
    if is_message(head):
        return "message/rfc822"
    if _RST.search(head) and _UNDERLINED.search(head):
        return "text/x-rst"
    if _INFO.search(head):
        return "text/x-info"
    if _ROFF.match(head):
        return "text/troff"
    if _ASCIIDOC.search(head):
        return "text/asciidoc"
    return "text/x-wiki" if _WIKI.search(head) else None


def is_chat(head: bytes) -> bool:
    """Whether JSON begins as a conversation that a program for chats has exported."""
    return _CHAT.match(head) is not None


def is_message(head: bytes) -> bool:
    """Whether a text begins with the headers of a mail, as programs keep them: one that they write among them, and one
    that people read."""
    names, at = set[bytes](), 3 * head.startswith(b"\xef\xbb\xbf")
    while header := _HEADER.match(head, at):
        names.add(header[1].lower())
        at = header.end()
    is_whole = at >= len(head) or head[at : at + 1] in b"\r\n" or b"\n" not in head[at:]
    return (
        is_whole and len(names) > 3 and bool(names & _OF_TRANSPORT) and b"from" in names and len(names & _OF_MAIL) > 1
    )
