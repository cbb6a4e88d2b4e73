"""A browser without a picture: addresses, cookies, forms and links of the page, as who has no scripts sees them."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from biblicus.connectors.http.app import application
from biblicus.connectors.http.gate import Access
from biblicus.connectors.web.pages import Page
from biblicus.service.admission import Limits
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Tokens
from tests.serving import served


@contextmanager
def page_of(*places: str, tokens: Tokens | None = None, page: Page | None = None) -> Iterator[tuple[str, Page]]:
    """A service with the page over these corpora, in a thread: its address, and the page."""
    page = page or Page(tokens)
    app, service = application(
        Corpora.open(places), Access(page.tokens), Limits(drain=1), (page.mount,), is_open=page.is_open
    )
    with served(page.around(app), service, is_warm=False) as address:
        yield address, page


def no_tokens(folder: Path) -> Tokens:
    """Nobody needs a token."""
    return Tokens(folder / "no-tokens.json")


@dataclass
class Visitor:
    """What they see: the last page's status, headers, bytes and address. Cookies are kept and sent back."""

    home: str
    cookies: dict[str, str] = field(default_factory=dict)
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    address: str = "/"

    def ask(self, method: str, address: str, fields: Mapping[str, Any] | None = None, **headers: str) -> Visitor:
        """One request; nothing is followed. `_` in a header's name stands for `-`."""
        parts = urlsplit(self.home)
        body = None if fields is None else urlencode(fields, doseq=True)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if body is not None:
            sent |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": sent.get("Origin", self.home)}
        line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
        try:
            line.request(method, address.partition("#")[0], body, sent)
            got = line.getresponse()
            self.status, self.headers, self.raw = (
                got.status,
                {name.lower(): value for name, value in got.getheaders()},
                got.read(),
            )
        finally:
            line.close()
        if given := self.headers.get("set-cookie"):
            name, _, value = given.partition(";")[0].partition("=")
            self.cookies[name] = value
        self.address = address
        return self

    def look(self, address: str) -> Visitor:
        """A page, with what it leads on to at once."""
        self.ask("GET", address)
        while True:
            if self.status == 303:
                self.ask("GET", self.headers["location"])
            elif self.is_page and (refresh := self.page.css_first("meta[http-equiv=refresh]")) is not None:
                following = str(refresh.attributes["content"]).partition("url=")[2]
                self.ask("GET", following)
            else:
                return self

    def follow(self, words: str, number: int = 0) -> Visitor:
        """Click a link that says these words."""
        links = [link for link in self.page.css("a") if words in " ".join(link.text().split())]
        assert len(links) > number, f"no link says {words}: {[link.text() for link in self.page.css('a')]}"
        return self.look(urljoin(self.address, str(links[number].attributes["href"])))

    def send(self, form: str, **fields: Any) -> Visitor:
        """Fill in a form, by its address, and send it."""
        (found,) = [one for one in self.page.css("form") if str(one.attributes.get("action", "")).startswith(form)]
        filled: dict[str, Any] = {}
        for entry in found.css("input[name]"):
            name = str(entry.attributes["name"])
            filled.setdefault(name, []).append(entry.attributes.get("value") or "")
        filled |= fields
        action = str(found.attributes["action"])
        if found.attributes.get("method") == "post":
            self.ask("POST", action, filled)
            return self.look(self.headers["location"]) if self.status == 303 else self._led()
        return self.look(f"{action}?{urlencode(filled, doseq=True)}")

    def _led(self) -> Visitor:
        refresh = self.page.css_first("meta[http-equiv=refresh]")
        return self if refresh is None else self.look(str(refresh.attributes["content"]).partition("url=")[2])

    @property
    def is_page(self) -> bool:
        return self.status == 200 and self.headers["content-type"].startswith("text/html")

    @property
    def page(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.raw.decode("utf-8"))

    def texts(self, selector: str) -> list[str]:
        """The texts of what fits a selector."""
        return [" ".join(node.text().split()) for node in self.page.css(selector)]

    def nodes(self, selector: str) -> list[LexborNode]:
        return self.page.css(selector)
