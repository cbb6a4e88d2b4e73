"""Web addresses from strangers: taken apart by one strict reading, and written in one form.

What two programs could read differently is refused, since a check would then hold for another address than the one
that is asked: credentials, backslashes, blanks, control characters, numbers that some systems take for an IP address.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from biblicus.errors import UnsafeInput

_LONGEST = 2_000
_PORTS = {"http": 80, "https": 443}
# Compiled when they are first used, which most commands never do.
_AUTHORITY = r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:@]+))(?::(\d{0,5}))?"
_NAME = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?"
_NUMBER = r"(?:\d+|0x[0-9a-f]*)\.?\Z"
_BROKEN_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
_ESCAPE = r"%([0-9A-Fa-f]{2})"
_UNRESERVED = r"[A-Za-z0-9._~-]"
_IN_PATH = "/:@!$&'()*+,;=~%"
_IN_QUERY = _IN_PATH + "?"


class UrlRefused(UnsafeInput):
    """No web address, or one that a safety rule turns away."""

    code = "url_refused"

    def __init__(self, url: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{shown(url)} is not fetched: {cause}.", hint)
        self.cause = cause


class Url(NamedTuple):
    """An http(s) address in one form. `host`: lower case, ASCII; IPv6 without brackets. `target`: path and query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host and, where it is not the usual one, the port, as a `Host` header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    def __str__(self) -> str:
        return self.origin + self.target


def shown(url: str) -> str:
    """An address as errors name it: without credentials, on one line, shortened."""
    head, slashes, rest = url.partition("//")
    authority, slash, path = rest.partition("/")
    url = head + slashes + authority.rpartition("@")[2] + slash + path
    url = "".join(char if char.isprintable() else "?" for char in url)
    return url if len(url) <= 200 else f"{url[:199]}…"


def parse(text: str) -> Url:
    """The address in its one form; the fragment is left out. Raises `UrlRefused`."""
    text = text.strip(" \t\r\n\f")
    if len(text) > _LONGEST:
        raise UrlRefused(text, f"it is longer than {_LONGEST:,} characters")
    if any(char in "\\ " or not char.isprintable() for char in text.partition("#")[0]):
        raise UrlRefused(text, "it holds characters that no address has")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise UrlRefused(text, "it is no web address") from None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise UrlRefused(text, "only http and https are")
    if "@" in parts.netloc:
        raise UrlRefused(text, "it holds credentials", "the same without user and password")
    authority = re.fullmatch(_AUTHORITY, parts.netloc)
    if authority is None:
        raise UrlRefused(text, "its host is none")
    host = _literal(authority[1], text) if authority[1] else _host(authority[2], text)
    port = int(authority[3]) if authority[3] else _PORTS[scheme]
    if not 0 < port < 65_536:
        raise UrlRefused(text, "there is no such port")
    target = _path(parts.path) + (f"?{_escaped(parts.query, _IN_QUERY)}" if parts.query else "")
    return Url(scheme, host, port, target)


def of_server(url: str) -> Url:
    """The parts of what `server_address` let through. The user vouches for it: it needs no stranger's one form."""
    parts = urlsplit(url)
    return Url(parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme], parts.path.rstrip("/"))


def server_address(url: str) -> str:
    """The address of a server, from the user's configuration: paths are put behind it. Raises `ValueError`."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username or parts.query:
        raise ValueError("must be http://… or https://… with a host, and without a name, password or query")
    return url.rstrip("/")


def join(base: Url, reference: str) -> Url:
    """What a link or a `Location` means, seen from `base`. Raises `UrlRefused`."""
    if len(reference) > _LONGEST:
        raise UrlRefused(reference, f"it is longer than {_LONGEST:,} characters")
    # browsers leave out these before they look
    reference = re.sub(r"[\t\r\n]", "", reference).strip(" \f").replace(" ", "%20")
    try:
        return parse(urljoin(str(base), reference))
    except ValueError:
        raise UrlRefused(reference, "it is no web address") from None


def _literal(text: str, url: str) -> str:
    try:
        return IPv6Address(text).compressed
    except AddressValueError:
        raise UrlRefused(url, "its host is none") from None


def _host(text: str, url: str) -> str:
    """A name, or an IPv4 address in its usual form: no octal, hexadecimal or shortened ones."""
    try:
        host = text if text.isascii() else text[:253].encode("idna").decode()
    except UnicodeError:
        raise UrlRefused(url, "its host is no name") from None
    host = host.lower()
    if len(host) > 253 or not re.fullmatch(_NAME, host):
        raise UrlRefused(url, "its host is no name")
    if re.search(_NUMBER, host.rstrip(".").rpartition(".")[2]):
        try:
            return str(IPv4Address(host))
        except AddressValueError:
            raise UrlRefused(url, "its host is a number in disguise") from None
    return host.rstrip(".")


def _path(path: str) -> str:
    """Escaped in one form, and without `.` and `..`."""
    parts: list[str] = []
    segments = _escaped(path, _IN_PATH).split("/")[1:]
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment in (".", ".."):
            if segment == ".." and parts:
                parts.pop()
            if last:
                parts.append("")
        else:
            parts.append(segment)
    return "/" + "/".join(parts)


def _escaped(text: str, safe: str) -> str:
    """Percent-escapes in one form (RFC 3986, 6.2.2): unreserved characters bare, hexadecimal digits in capitals."""
    text = quote(re.sub(_BROKEN_ESCAPE, "%25", text), safe=safe)
    return re.sub(_ESCAPE, _one_form, text)


def _one_form(escape: re.Match[str]) -> str:
    char = chr(int(escape[1], 16))
    return char if re.fullmatch(_UNRESERVED, char) else escape[0].upper()
