"""Who may look at the page, and what no page of another origin can do with a visitor's rights."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus.connectors.web.pages import Page
from biblicus.connectors.web.shell import ONCE, Sessions
from biblicus.contracts import Call
from biblicus.service.tokens import Tokens
from tests.extraction.pdf_files import pdf
from tests.folders import corpus_of
from tests.pictures import blank
from tests.visitor import Visitor, no_tokens, page_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looking") / "harbour"
    return corpus_of(
        folder,
        {
            "tides.md": "The moon pulls tides.",
            "log.pdf": pdf("The pilot saw gulls."),
            "sign.png": blank(30, 20),
            "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        },
    )


@pytest.fixture(scope="module")
def tokens(folder: Path) -> Tokens:
    return Tokens(folder.parent / "tokens.json")


@pytest.fixture(scope="module")
def secret(tokens: Tokens) -> str:
    return tokens.new("read", "test", Call()).token


@pytest.fixture(scope="module")
def home(folder: Path, tokens: Tokens, secret: str) -> Iterator[str]:
    with page_of(str(folder), tokens=tokens) as (address, _):
        yield address


@pytest.fixture
def visitor(home: str) -> Visitor:
    return Visitor(home)


def test_who_has_no_token_is_asked_for_one_and_led_back(visitor: Visitor, secret: str) -> None:
    visitor.look("/?q=moon")
    assert visitor.address == "/sign-in?next=%2F%3Fq%3Dmoon"
    visitor.send("/sign-in", token="biblicus_wrong")
    assert visitor.status == 403
    assert "No such token" in visitor.texts("main")[0]
    visitor.send("/sign-in", token=secret)
    assert visitor.address == "/?q=moon"
    assert visitor.texts(".results h3") == ["tides"]


@pytest.mark.parametrize("address", ["/nowhere", "/items"])
def test_who_types_an_address_that_is_none_of_the_page_comes_to_its_beginning(
    visitor: Visitor, secret: str, address: str
) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    visitor.ask("GET", address, accept="text/html,*/*")
    assert (visitor.status, visitor.headers["location"]) == (303, "/")
    assert visitor.ask("GET", address).status == 401  # a program learns what is wrong


def test_a_token_that_was_revoked_opens_nothing_any_more(visitor: Visitor, tokens: Tokens) -> None:
    made = tokens.new("read", "short", Call())
    visitor.look("/").send("/sign-in", token=made.token)
    assert visitor.look("/corpus").texts("h1") == ["harbour"]
    tokens.revoke(made.id, Call())
    assert visitor.look("/corpus").texts("h1") == ["Sign in"]


def test_who_signs_out_is_out(visitor: Visitor, secret: str) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    visitor.send("/sign-out")
    assert visitor.look("/corpus").texts("h1") == ["Sign in"]


def test_signing_in_gives_another_cookie_that_scripts_and_other_sites_do_not_see(visitor: Visitor, secret: str) -> None:
    visitor.look("/")
    before = dict(visitor.cookies)
    form = visitor.nodes("form[action='/sign-in'] input[name=form_token]")[0].attributes["value"]
    visitor.ask("POST", "/sign-in", {"token": secret, "form_token": form, "next": "/"})
    assert visitor.cookies != before
    assert re.fullmatch(r"biblicus_\d+=[\w-]{43}; Path=/; HttpOnly; SameSite=Strict", visitor.headers["set-cookie"])
    assert secret not in visitor.headers["set-cookie"]


@pytest.mark.parametrize("path", ["/search?q=moon", "/items", "/stats", "/items/tides.md"])
def test_the_cookie_counts_for_the_page_alone(visitor: Visitor, secret: str, path: str) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    assert visitor.ask("GET", path).status == 401
    assert visitor.ask("GET", path, Authorization=f"Bearer {secret}").status == 200


def test_a_header_does_not_open_the_page(visitor: Visitor, secret: str) -> None:
    """So that a visitor and their session are one: who asks with a token has the service's own addresses."""
    assert visitor.ask("GET", "/corpus", Authorization=f"Bearer {secret}").status == 303


PICTURES = ("/picture/log.pdf?page=1", "/file/sign.png")


@pytest.mark.parametrize("path", PICTURES)
def test_pictures_are_shown_to_who_is_signed_in_and_to_nobody_else(visitor: Visitor, secret: str, path: str) -> None:
    assert visitor.ask("GET", path).status == 303
    visitor.look("/").send("/sign-in", token=secret)
    assert visitor.ask("GET", path).status == 200
    assert visitor.headers["content-type"] == "image/png"
    assert "default-src 'none'" in visitor.headers["content-security-policy"]


def test_a_file_is_sent_as_what_it_is_and_opened_by_nothing(visitor: Visitor, secret: str, folder: Path) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    visitor.ask("GET", "/file/sign.png")
    assert visitor.raw == (folder / "sign.png").read_bytes()
    assert visitor.headers["content-disposition"] == "attachment"
    assert visitor.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("item", ["drawing.svg", "tides.md", "nosuch.png", "..%2f..%2fetc%2fpasswd"])
def test_what_may_hold_a_script_and_what_is_no_item_is_not_sent(visitor: Visitor, secret: str, item: str) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    assert visitor.ask("GET", f"/file/{item}").status == 404
    assert visitor.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("asked", "status", "sent", "told"),
    [
        ("bytes=0-7", 206, slice(0, 8), "bytes 0-7/{size}"),
        ("bytes=8-", 206, slice(8, None), "bytes 8-{last}/{size}"),
        ("bytes=4-999999", 206, slice(4, None), "bytes 4-{last}/{size}"),
        ("lines=0-7", 200, slice(None), None),
        ("bytes=-7", 200, slice(None), None),
        ("bytes=999999-", 416, None, None),
    ],
)
def test_a_player_gets_the_stretch_that_it_asks_for(
    visitor: Visitor, secret: str, folder: Path, asked: str, status: int, sent: slice | None, told: str | None
) -> None:
    whole = (folder / "sign.png").read_bytes()
    visitor.look("/").send("/sign-in", token=secret)
    assert visitor.ask("GET", "/file/sign.png", Range=asked).status == status
    if sent is not None:
        assert visitor.raw == whole[sent]
    of = told and told.format(size=len(whole), last=len(whole) - 1)
    assert visitor.headers.get("content-range") == of


@pytest.mark.parametrize("form", ["/sign-in", "/ask", "/sign-out"])
@pytest.mark.parametrize("token", ["", "0" * 64])
def test_a_form_that_was_not_shown_is_refused(visitor: Visitor, secret: str, form: str, token: str) -> None:
    visitor.look("/").send("/sign-in", token=secret)
    assert visitor.ask("POST", form, {"form_token": token, "q": "moon", "token": secret}).status == 403


def test_a_form_of_another_visitor_is_refused(home: str, secret: str) -> None:
    shown, other = Visitor(home).look("/"), Visitor(home).look("/")
    form = shown.nodes("form[action='/sign-in'] input[name=form_token]")[0].attributes["value"]
    assert other.ask("POST", "/sign-in", {"token": secret, "form_token": form}).status == 403
    assert shown.ask("POST", "/sign-in", {"token": secret, "form_token": form}).status == 200


@pytest.mark.parametrize(
    ("headers", "status"), [({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example"}, 421)]
)
def test_the_gate_stands_before_the_page(visitor: Visitor, headers: dict[str, str], status: int) -> None:
    for path in ("/", "/corpus", "/open?token=x", "/sign-in", "/static/page.css"):
        assert visitor.ask("GET", path, None, **headers).status == status


@pytest.mark.parametrize("following", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"])
def test_nobody_is_led_elsewhere(visitor: Visitor, secret: str, following: str) -> None:
    visitor.look(f"/sign-in?next={following}")
    visitor.send("/sign-in", token=secret, next=following)
    assert visitor.address == "/"


@pytest.mark.parametrize(
    "path", ["/", "/sign-in", "/corpus", "/c/tides.md", "/?q=moon", "/static/page.js", "/c/nosuch"]
)
def test_every_page_carries_its_policy_once(folder: Path, path: str) -> None:
    with page_of(str(folder), tokens=no_tokens(folder.parent)) as (address, _):
        visitor = Visitor(address).ask("GET", path)
    policy = dict(part.strip().split(" ", 1) for part in visitor.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in visitor.headers["content-security-policy"]
    assert visitor.headers["referrer-policy"] == "same-origin"
    assert visitor.headers["cross-origin-resource-policy"] == "same-origin"
    assert visitor.headers["x-content-type-options"] == "nosniff"
    assert not visitor.nodes("script:not([src]), [style], [onclick], style") if visitor.is_page else True


@pytest.mark.parametrize("name", ["..%2fpages.py", "page.py", "%2e%2e/pages.py", "nosuch.css", "lucide.LICENSE"])
def test_only_the_pages_own_files_are_served(visitor: Visitor, name: str) -> None:
    assert visitor.ask("GET", f"/static/{name}").status in (303, 404)


# --- open -------------------------------------------------------------------------------------------------------------


def test_the_way_in_is_good_once_and_is_this_users_alone(folder: Path) -> None:
    page = Page()
    with page_of(str(folder), page=page) as (address, _):
        with page.way_in(address) as file:
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            (link,) = re.findall(r'href="([^"]+)"', file.read_text("utf-8"))
        assert not file.exists()
        first, second = Visitor(address), Visitor(address)
        first.look(link.removeprefix(address))
        assert first.address == "/"
        assert first.look("/?q=moon").texts(".results h3") == ["tides"]
        second.look(link.removeprefix(address))
        assert second.status == 403
        assert "good once" in second.texts("main")[0]
        assert second.ask("GET", "/search?q=moon").status == 401


def test_the_way_in_is_soon_closed() -> None:
    now = [100.0]
    sessions = Sessions(lambda: now[0])
    early, late = sessions.once("token"), sessions.once("token")
    now[0] += ONCE
    session = sessions.redeem(early)
    assert session is not None
    assert sessions.token(session) == "token"
    now[0] += 0.1
    assert sessions.redeem(late) is None
    assert sessions.redeem(early) is None
    assert sessions.redeem("") is None


def test_sessions_are_bounded() -> None:
    sessions = Sessions()
    first = sessions.begin("one")
    last = [sessions.begin("other") for _ in range(1_000)][-1]
    assert sessions.token(first) is None
    assert sessions.token(last) == "other"
