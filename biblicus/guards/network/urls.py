"""Parse untrusted web addresses strictly and write them in one normalised form.

Anything that two programs could read differently is refused: credentials, backslashes, blanks, control characters,
numbers that some systems read as an IP address. Otherwise the checked address could differ from the requested one."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from biblicus.errors import UnsafeInput

_LONGEST = 2_000
_PORTS = {"http": 80, "https": 443}
# Compiled on first use: most commands need none of them.
_AUTHORITY = r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:@]+))(?::(\d{0,5}))?"
_NAME = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?"
_NUMBER = r"(?:\d+|0x[0-9a-f]*)\.?\Z"
_BROKEN_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
_ESCAPE = r"%([0-9A-Fa-f]{2})"
_IN_PATH = "/:@!$&'()*+,;=~%"
_IN_QUERY = _IN_PATH + "?"


class UrlRefused(UnsafeInput):
    """The text is no web address, or a safety rule refuses it."""

    def __init__(self, url: str, cause: str, hint: str = "") -> None:
        super().__init__(f"{shown(url)} is not fetched: {cause}.", hint)
        self.cause = cause


class Url(NamedTuple):
    """A normalised http(s) URL. `host`: lower case, ASCII; IPv6 without brackets. `target`: path and query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Return the host, and the port unless it is the default, as in a `Host` header."""
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
    """Return an address for error messages: without credentials, on one line, shortened."""
    head, slashes, rest = url.partition("//")
    authority, slash, path = rest.partition("/")
    url = head + slashes + authority.rpartition("@")[2] + slash + path
    url = "".join(char if char.isprintable() else "?" for char in url)
    return url if len(url) <= 200 else f"{url[:199]}…"


def parse(text: str) -> Url:
    """Parse and normalise an address, without its fragment. Raises `UrlRefused`."""
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
    target = _path(parts.path) + (f"?{escaped(parts.query)}" if parts.query else "")
    return Url(scheme, host, port, target)


def of_server(url: str) -> Url:
    """Split an address that `server_address` accepted. The user trusts it, so it is not normalised."""
    parts = urlsplit(url)
    return Url(parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme], parts.path.rstrip("/"))


def server_address(url: str) -> str:
    """Validate the base address of a server in the user's configuration. Raises `ValueError`."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username or parts.query:
        raise ValueError("must be http://… or https://… with a host, and without a name, password or query")
    return url.rstrip("/")


def join(base: Url, reference: str) -> Url:
    """Resolve a link or `Location` header against `base`. Raises `UrlRefused`."""
    if len(reference) > _LONGEST:
        raise UrlRefused(reference, f"it is longer than {_LONGEST:,} characters")
    # browsers remove these first
    reference = reference.translate(dict.fromkeys(b"\t\r\n")).strip(" \f").replace(" ", "%20")
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
    """Return a normalised host name, or an IPv4 address in dotted decimals; octal, hexadecimal and short forms are
    refused."""
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
    """Return a path with normalised escapes, without `.` and `..`."""
    parts: list[str] = []
    segments = escaped(path, _IN_PATH).split("/")[1:]
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


def escaped(text: str, safe: str = _IN_QUERY) -> str:
    """Normalise percent-escapes (RFC 3986, 6.2.2): unreserved characters bare, hexadecimal digits in capitals."""
    text = quote(re.sub(_BROKEN_ESCAPE, "%25", text), safe=safe)
    return re.sub(_ESCAPE, _one_form, text)


def _one_form(escape: re.Match[str]) -> str:
    char = chr(int(escape[1], 16))
    is_unreserved = char.isascii() and (char.isalnum() or char in "._~-")
    return char if is_unreserved else escape[0].upper()
