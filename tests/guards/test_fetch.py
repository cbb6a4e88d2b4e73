"""The guarded fetch against a server that misbehaves in every way, and against names that lie."""

import gzip
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Cancelled, DeadlineExceeded, IngestionError
from biblicus.guards.network.fetch import AddressRefused, Fetcher, Limits
from biblicus.guards.network.urls import UrlRefused
from biblicus.models.sources.syncing import Account
from tests.sources.server import Act, Page, Web, bomb, drips, hangs_up, says_nothing, sends, serving

QUICK = Limits(bytes=100_000, seconds=1.0, connecting=0.5)
"""For what does not come in time. All else may take as long as a busy machine needs."""
PATIENT = Limits(bytes=100_000, seconds=60.0, connecting=60.0)
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


@pytest.fixture
def local() -> Fetcher:
    """May ask this machine."""
    return Fetcher(PATIENT, private=True)


@dataclass
class Names:
    """A resolver and a dialler that write down what they do. Public addresses lead to a server of the test's."""

    answers: dict[str, list[list[str]]]
    ports: dict[str, int]
    resolved: list[str] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> list[str]:
        self.resolved.append(host)
        given = self.answers.get(host, [[host]])
        return given.pop(0) if len(given) > 1 else given[0]

    def dial(self, address: str, port: int, seconds: float) -> socket.socket:
        self.dialled.append(address)
        if address not in self.ports:
            raise OSError(111, "Connection refused")
        return socket.create_connection(("127.0.0.1", self.ports[address]), seconds)

    def fetcher(self, *, private: bool = False) -> Fetcher:
        return Fetcher(PATIENT, private, self.resolve, self.dial)


# --- what is well -----------------------------------------------------------------------------------------------------


def test_a_page_comes_as_it_is(web: Web, local: Fetcher) -> None:
    web.pages["/a?x=1"] = Page(b"<p>tides</p>", etag='"1"')
    reply = local.get(f"{web.url}/a?x=1#part", Call())
    assert (reply.url, reply.status, reply.body) == (f"{web.url}/a?x=1", 200, b"<p>tides</p>")
    assert reply.headers["etag"] == '"1"'
    assert web.headers[0]["User-Agent"].startswith("biblicus/")
    assert "Cookie" not in web.headers[0]


def test_a_condition_is_answered(web: Web, local: Fetcher) -> None:
    web.pages["/a"] = Page(b"tides", etag='"1"')
    reply = local.get(f"{web.url}/a", Call(), {"If-None-Match": '"1"'})
    assert (reply.status, reply.body) == (304, b"")


def test_headers_go_to_the_address_that_they_are_for(web: Web, local: Fetcher) -> None:
    web.redirect("/old", "/new")
    web.pages["/new"] = Page(b"tides", etag='"1"')
    reply = local.get(f"{web.url}/old", Call(), {"If-None-Match": '"1"'}, only_at=f"{web.url}/new")
    assert reply.status == 304
    assert ["If-None-Match" in headers for headers in web.headers] == [False, True]


@pytest.mark.parametrize("pieces", [1, 3])
def test_what_is_packed_is_unpacked(web: Web, local: Fetcher, pieces: int) -> None:
    text = b"The moon pulls tides. " * 3000
    packed = b"".join(gzip.compress(text[part::pieces]) for part in range(pieces))
    web.pages["/a"] = Page(packed, headers={"Content-Encoding": "gzip"})
    assert local.get(f"{web.url}/a", Call()).body == b"".join(text[part::pieces] for part in range(pieces))


def test_chunks_are_joined(web: Web, local: Fetcher) -> None:
    web.pages["/a"] = sends(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nA: b\r\n\r\n")
    assert local.get(f"{web.url}/a", Call()).body == b"abcde"


def test_a_body_without_a_length_ends_with_the_connection(web: Web, local: Fetcher) -> None:
    web.pages["/a"] = sends(OK + b"\r\n", b"abc", b"de")
    assert local.get(f"{web.url}/a", Call()).body == b"abcde"


def test_no_body_is_read_that_is_not_the_page(web: Web, local: Fetcher) -> None:
    web.pages["/a"] = drips(b"HTTP/1.1 404 Not Found\r\n\r\n", b"x" * 100, 0.01)
    began = time.monotonic()
    assert local.get(f"{web.url}/a", Call()).status == 404
    assert time.monotonic() - began < 50  # it drips for 60


def test_no_proxy_of_the_environment_is_used(web: Web, local: Fetcher, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    web.pages["/a"] = Page(b"tides")
    assert local.get(f"{web.url}/a", Call()).body == b"tides"


# --- redirects --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "moved"), [(301, True), (308, True), (302, False), (303, False), (307, False)])
def test_redirects_are_followed(web: Web, local: Fetcher, status: int, moved: bool) -> None:
    web.redirect("/a", "b?x=1#part", status)
    web.pages["/b?x=1"] = Page(b"tides")
    reply = local.get(f"{web.url}/a", Call())
    assert (reply.url, reply.body, reply.moved) == (f"{web.url}/b?x=1", b"tides", moved)


def test_redirects_in_a_circle_end(web: Web, local: Fetcher) -> None:
    web.redirect("/a", "/b")
    web.redirect("/b", "/a")
    with pytest.raises(IngestionError, match="redirects more than 5 times"):
        local.get(f"{web.url}/a", Call())
    assert len(web.asked) == 6


@pytest.mark.parametrize(
    "to", ["file:///etc/passwd", "ftp://example.org/", "http://a:b@example.org/", "http://0x7f.1/"]
)
def test_a_redirect_to_what_is_no_web_address_is_refused(web: Web, local: Fetcher, to: str) -> None:
    web.redirect("/a", to)
    with pytest.raises(UrlRefused):
        local.get(f"{web.url}/a", Call())


@pytest.mark.parametrize(
    "inner", ["http://127.0.0.1:{port}/secret", "http://[::1]:{port}/secret", "http://[::ffff:127.0.0.1]:{port}/secret",
              "http://localhost:{port}/secret", "http://inner.example:{port}/secret",
              "http://169.254.169.254/latest/meta-data/"],
)  # fmt: skip
@pytest.mark.parametrize("private", [False, True])
def test_a_public_page_leads_to_no_private_one(web: Web, inner: str, private: bool) -> None:
    with serving() as outer:
        names = Names(
            {"outer.example": [["93.184.216.34"]], "inner.example": [["10.0.0.1"]], "localhost": [["127.0.0.1"]]},
            {"93.184.216.34": outer.port},
        )
        outer.redirect("/a", inner.format(port=web.port))
        with pytest.raises(AddressRefused):
            names.fetcher(private=private).get("http://outer.example/a", Call())
    assert names.dialled == ["93.184.216.34"]
    assert web.connections == 0


def test_a_private_page_leads_to_no_metadata_service(web: Web, local: Fetcher) -> None:
    web.redirect("/a", "http://169.254.169.254/latest/meta-data/")
    with pytest.raises(AddressRefused):
        local.get(f"{web.url}/a", Call())


def test_what_began_with_tls_does_not_go_on_without(tmp_path: Path, web: Web) -> None:
    with serving(certificate(tmp_path)) as secure:
        secure.redirect("/a", f"{web.url}/a")
        with pytest.raises(IngestionError, match="without TLS"):
            Fetcher(PATIENT, private=True, trust=lambda: trusting(tmp_path)).get(f"{secure.url}/a", Call())
    assert web.connections == 0


# --- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["10.0.0.1"], ["::1"], ["169.254.169.254"], ["100.64.0.1"], ["224.0.0.1"], ["::ffff:127.0.0.1"],
     ["64:ff9b::7f00:1"], ["fe80::1%2"], ["0.0.0.0"], ["93.184.216.34", "127.0.0.1"], ["127.0.0.1", "93.184.216.34"]],
)  # fmt: skip
def test_a_name_with_one_bad_address_is_not_asked(addresses: list[str]) -> None:
    names = Names({"evil.example": [addresses]}, {})
    with pytest.raises(AddressRefused):
        names.fetcher().get("http://evil.example/", Call())
    assert names.dialled == []


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "localhost", "localhost."])
def test_this_machine_is_not_asked(web: Web, host: str) -> None:
    with pytest.raises((AddressRefused, IngestionError)):
        Fetcher(QUICK).get(f"http://{host}:{web.port}/", Call())
    assert web.connections == 0


def test_a_name_that_changes_its_mind_is_asked_once(web: Web) -> None:
    names = Names({"rebind.example": [["93.184.216.34"], ["127.0.0.1"]]}, {"93.184.216.34": web.port})
    web.pages["/a"] = Page(b"tides")
    assert names.fetcher().get("http://rebind.example/a", Call()).body == b"tides"
    assert names.resolved == ["rebind.example"]
    assert names.dialled == ["93.184.216.34"]
    assert web.headers[0]["Host"] == "rebind.example"
    with pytest.raises(AddressRefused):
        names.fetcher().get("http://rebind.example/a", Call())


def test_the_next_address_is_tried_where_one_is_dead(web: Web) -> None:
    names = Names({"two.example": [["93.184.216.33", "93.184.216.34"]]}, {"93.184.216.34": web.port})
    web.pages["/a"] = Page(b"tides")
    assert names.fetcher().get("http://two.example/a", Call()).body == b"tides"
    assert names.dialled == ["93.184.216.33", "93.184.216.34"]


@pytest.mark.parametrize("port", [22, 25, 110, 1])
def test_ports_of_other_protocols_are_not_asked(port: int) -> None:
    names = Names({"outer.example": [["93.184.216.34"]]}, {})
    with pytest.raises(AddressRefused, match=f"port {port}"):
        names.fetcher().get(f"http://outer.example:{port}/", Call())
    assert names.dialled == []


def test_a_private_host_is_named_with_the_flag_that_allows_it() -> None:
    with pytest.raises(AddressRefused) as refused:
        Names({"intranet": [["10.0.0.1"]]}, {}).fetcher().get("http://intranet/", Call())
    assert "--allow-private" in refused.value.hint
    assert refused.value.exit_code == 7


def test_an_account_goes_to_its_own_origin_over_tls_or_in_a_private_network(web: Web) -> None:
    account = Account("work", "127.0.0.1", "ada", "ebb")
    web.pages["/a"] = Page(status=302, headers={"Location": f"http://localhost:{web.port}/b"})
    web.pages["/b"] = Page(b"tides")
    assert Fetcher(PATIENT, private=True, account=account).get(f"{web.url}/a", Call()).body == b"tides"
    assert [headers.get("Authorization") for headers in web.headers] == ["Bearer ebb", None]
    names = Names({"outer.example": [["93.184.216.34"]]}, {"93.184.216.34": web.port})
    for host, cause in (("outer.example", "without TLS"), ("inner.example", "is not sent to")):
        there = replace(names.fetcher(), account=replace(account, host=host))
        with pytest.raises(BiblicusError, match=cause):
            there.get("http://outer.example/b", Call())
    assert names.dialled == []


# --- misbehaviour -----------------------------------------------------------------------------------------------------

LIES: dict[str, tuple[Page | Act, str]] = {
    "silence": (says_nothing, "longer than 1 s"),
    "hang-up": (hangs_up, "hangs up|no connection"),
    "headers that drip": (drips(OK, b"X: y\r\n", 0.02), "longer than 1 s"),
    "one byte at a time": (drips(OK + b"Content-Length: 100000\r\n\r\n", b"x", 0.02), "longer than 1 s"),
    "a status line that drips": (drips(b"HTTP/1.1 2", b"0", 0.02), "longer than 1 s"),
    "an endless body": (drips(OK + b"\r\n", b"x" * 9_999, 0), "more than"),
    "endless chunks": (
        drips(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b"x" * 4096 + b"\r\n", 0),
        "more",
    ),
    "endless empty lines of a trailer": (
        drips(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n" * 500, 0),
        "more than",
    ),
    "endless headers": (drips(OK, b"X: " + b"y" * 60_000 + b"\r\n", 0), "larger headers"),
    "a header too long": (sends(OK + b"X: " + b"y" * 70_000 + b"\r\n\r\n"), "no HTTP"),
    "too many headers": (sends(OK + b"X: y\r\n" * 200 + b"\r\n"), "no HTTP"),
    "continue for ever": (drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100, 0), "larger headers"),
    "a length that is too large": (Page(b"abc", headers={"Content-Length": "100"}), "ends too early"),
    "a length beyond what is taken": (Page(b"", headers={"Content-Length": "9999999999"}), "9,999,999,999 bytes"),
    "a chunk of no number": (sends(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"), "ends too early"),
    "a chunk that breaks off": (sends(OK + b"Transfer-Encoding: chunked\r\n\r\nff\r\nabc"), "ends too early"),
    "a chunk below nothing": (sends(OK + b"Transfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n"), "fetched"),
    "no HTTP": (sends(b"SSH-2.0-OpenSSH_9.2\r\n"), "no HTTP"),
    "noise": (sends(bytes(range(256)) * 40), "no HTTP"),
    "a gzip bomb": (bomb(50 << 20), "more than 100,000 bytes"),
    "a bomb in members": (
        Page(gzip.compress(b"\0" * 60_000) * 3, headers={"Content-Encoding": "gzip"}),
        "more than 100,000 bytes",
    ),
    "gzip that is none": (Page(b"plain words", headers={"Content-Encoding": "gzip"}), "packed in a broken way"),
    "gzip that breaks off": (
        Page(gzip.compress(bytes(range(256)) * 20)[:-9], headers={"Content-Encoding": "gzip"}),
        "ends too early",
    ),
    "gzip in gzip": (
        Page(gzip.compress(gzip.compress(b"x")), headers={"Content-Encoding": "gzip, gzip"}),
        "nobody asked for",
    ),
    "another packing": (Page(zlib.compress(b"x"), headers={"Content-Encoding": "br"}), "nobody asked for"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_server_that_misbehaves_costs_one_line(web: Web, name: str) -> None:
    web.pages["/a"], said = LIES[name]
    local = Fetcher(QUICK if "longer than 1 s" in said else PATIENT, private=True)
    began = time.monotonic()
    with pytest.raises(IngestionError, match=said) as failed:
        local.get(f"{web.url}/a", Call())
    assert time.monotonic() - began < 50  # what drips does so for 60
    assert failed.value.url == f"{web.url}/a"
    assert "\n" not in failed.value.message
    assert failed.value.exit_code == 6


def test_nobody_there() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
    with pytest.raises(IngestionError, match="connection refused"):
        Fetcher(PATIENT, private=True).get(f"http://127.0.0.1:{port}/", Call())


def test_a_name_without_an_address() -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(IngestionError, match="its host has no address"):
        Fetcher(QUICK, resolve=resolve).get("http://nowhere.example/", Call())


def test_a_resolver_that_hangs_is_left() -> None:
    stop = threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        stop.wait(60)
        return ["93.184.216.34"]

    began = time.monotonic()
    with pytest.raises(IngestionError, match="in time"):
        Fetcher(QUICK, resolve=resolve).get("http://slow.example/", Call())
    assert time.monotonic() - began < 30
    stop.set()


def test_a_caller_may_leave(web: Web) -> None:
    web.pages["/a"] = drips(OK + b"\r\n", b"x", 0.02)
    call = Call()
    threading.Timer(0.2, call.cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        Fetcher(PATIENT, private=True).get(f"{web.url}/a", call)
    assert time.monotonic() - began < 50
    with pytest.raises(DeadlineExceeded):
        Fetcher(PATIENT, private=True).get(f"{web.url}/a", Call(deadline=time.monotonic() + 0.2))


# --- TLS --------------------------------------------------------------------------------------------------------------


def certificate(folder: Path, name: str = "IP:127.0.0.1") -> ssl.SSLContext:
    """A server's context with a certificate of its own making."""
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tides",
         "-addext", f"subjectAltName={name}", "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
        capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl makes no certificate here")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def trusting(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


def test_tls_is_verified(tmp_path: Path) -> None:
    with serving(certificate(tmp_path)) as secure:
        secure.pages["/a"] = Page(b"tides")
        with pytest.raises(IngestionError, match="certificate is not valid"):
            Fetcher(PATIENT, private=True).get(f"{secure.url}/a", Call())
        assert secure.asked == []
        local = Fetcher(PATIENT, private=True, trust=lambda: trusting(tmp_path))
        assert local.get(f"{secure.url}/a", Call()).body == b"tides"


def test_a_certificate_of_another_name_is_none(tmp_path: Path) -> None:
    with serving(certificate(tmp_path, "DNS:other.example")) as secure:
        with pytest.raises(IngestionError, match="certificate is not valid"):
            Fetcher(PATIENT, private=True, trust=lambda: trusting(tmp_path)).get(f"{secure.url}/a", Call())
        assert secure.asked == []


def test_a_server_that_speaks_no_tls(web: Web, local: Fetcher) -> None:
    with pytest.raises(IngestionError, match=r"TLS|connection"):
        local.get(web.url.replace("http:", "https:") + "/a", Call())


def test_tls_that_never_comes_to_an_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(IngestionError, match="in time"):
            Fetcher(QUICK, private=True).get(f"https://127.0.0.1:{silent.getsockname()[1]}/", Call())
        assert time.monotonic() - began < 20
