"""The page as a plug-in of the HTTP service: its routes call verbs in a thread of the queues, and render a template."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from biblicus.config import user_folder
from biblicus.connectors.cli import output
from biblicus.connectors.http.gate import CALLER, Caller
from biblicus.connectors.http.problems import described
from biblicus.connectors.http.service import Service
from biblicus.connectors.http.writing import Done, drafted
from biblicus.connectors.web import answers, browsing, doing, kinds, reading, searching, shell, showing
from biblicus.connectors.web.asking import Asked, cited_address, joined
from biblicus.connectors.web.marking import BYTE_ORDER_MARK
from biblicus.connectors.web.shell import STATIC, VISITOR, WAY_IN, Sessions, set_cookie
from biblicus.contracts import Call
from biblicus.disk import files
from biblicus.errors import BiblicusError, FormRefused, OutOfBounds, RouteNotFound, ScopeMissing, Stopping, UsageError
from biblicus.guards.terminal import safe
from biblicus.measure import report
from biblicus.models.page_image import PageImage
from biblicus.models.unread import in_words, word_of
from biblicus.service.routes import status_of
from biblicus.service.tokens import Tokens
from biblicus.service.verbs import PAGE_IMAGE, QUERY, RECEIVE, WEIGHT, Verb, fitting

Make = Callable[[Asked], dict[str, Any]]
_HERE = Path(__file__).parent
_FORM = 1 << 20
_PART = "<!--part-->"
"""End of a part of a template. Escaped text never contains `<`."""
_NO_QUESTION: dict[str, Any] = {"question": "", "filters": [], "chosen": []}
_PRIVATE = {"Cache-Control": "private, no-cache"}


class Pages:
    """Routes of the page for one service."""

    def __init__(self, service: Service, sessions: Sessions, tokens: Tokens, *, is_followed: bool) -> None:
        self._service, self._sessions, self._tokens, self._is_followed = service, sessions, tokens, is_followed
        self._titles = browsing.Titles()
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            auto_reload=False,
        )
        self._templates.filters |= {
            "shown": lambda text: safe(str(text).lstrip(BYTE_ORDER_MARK)),
            "on_lines": lambda text: safe(str(text).lstrip(BYTE_ORDER_MARK), keep_newlines=True),
            "thousands": "{:,}".format,
            "size": output.size,
        }
        words = (in_words, word_of, kinds.day_of, kinds.day_of_run)
        self._templates.filters |= {word.__name__: word for word in words}
        named = (cited_address, kinds.kind_of, searching.called, searching.place, showing.thumbnail)
        self._templates.globals |= {each.__name__: each for each in named}

    def routes(self) -> list[Route]:
        pages: dict[str, tuple[str, Callable[[Request], Make], Verb[Any, Any]]] = {
            "/c/{item:path}": ("reader.html", _named(reading.read, "item"), QUERY),
            "/corpus": ("items.html", lambda request: browsing.items, QUERY),
            "/corpus/runs": ("runs.html", lambda request: browsing.runs, QUERY),
            "/corpus/runs/{run}": ("run.html", _named(browsing.run, "run"), QUERY),
            "/corpus/evaluations": ("evaluations.html", lambda request: browsing.evaluations, QUERY),
            "/corpus/evaluations/{name}": ("evaluation.html", _named(browsing.evaluation, "name"), QUERY),
            "/corpus/notes": ("notes.html", lambda request: doing.all_notes, QUERY),
            "/corpus/failures": ("failures.html", lambda request: browsing.failures, QUERY),
            "/corpus/sources": ("sources.html", lambda request: doing.sources, QUERY),
            "/corpus/jobs/{job}": ("job.html", lambda request: self._job(request.path_params["job"]), QUERY),
            "/corpus/differences": ("differences.html", lambda request: browsing.differences, QUERY),
        }
        return [
            *(Route(path, self._page(*page), methods=["GET"]) for path, page in pages.items()),
            Route("/", self._guarded(self._question), methods=["GET"]),
            Route("/ask", self._guarded(self._question), methods=["POST"]),
            Route("/ask", self._guarded(_moved), methods=["GET"]),
            Route("/chat", self._guarded(_moved), methods=["GET"]),
            Route("/suggest", self._guarded(self._suggest), methods=["GET"]),
            Route("/corpus/upload", self._guarded(self._upload), methods=["POST"]),
            Route("/corpus/{what:str}", self._guarded(self._done), methods=["POST"]),
            Route("/corpus/jobs/{job}/progress", self._guarded(self._progress), methods=["GET"]),
            Route("/corpus/{nowhere:path}", self._guarded(_nowhere), methods=["GET"]),
            Route("/picture/{item:path}", self._guarded(self._picture), methods=["GET"]),
            Route("/file/{item:path}", self._guarded(self._file), methods=["GET"]),
            Route("/open", self._guarded(self._open), methods=["GET"]),
            Route("/sign-in", self._guarded(self._sign_in), methods=["GET", "POST"]),
            Route("/sign-out", self._guarded(self._sign_out), methods=["POST"]),
            Route(STATIC + "{name}", self._guarded(_static), methods=["GET"]),
        ]

    # --- shared by all pages ---

    def _page(
        self, template: str, make_of: Callable[[Request], Make], verb: Verb[Any, Any]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            make = make_of(request)
            values = await self._asked(request, lambda asked: {"at": asked, **make(asked)}, verb)
            return self._written(request, template, values)

        return self._guarded(answered)

    def _guarded(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a handler so that errors are shown as a page."""

        @functools.wraps(answer)
        async def guarded(request: Request) -> Response:
            try:
                return await answer(request)
            except BiblicusError as error:
                problem = described(error, request.scope[CALLER].trace_id)
                return self._written(
                    request, "problem.html", {"problem": problem, "here": "", **_NO_QUESTION}, status_of(error)
                )

        return guarded

    async def _asked(self, request: Request, make: Callable[[Asked], Any], verb: Verb[Any, Any] = QUERY) -> Any:
        """Call a function with the request, in a thread of the verb's queue."""
        if self._service.stopping.is_set():
            raise Stopping
        with self._service.admission.line(verb).admitted() as ticket:
            return await ticket.run(self._work(request, make), call=request.scope[CALLER].call)

    def _work(self, request: Request, make: Callable[[Asked], Any]) -> Callable[[Call], Any]:
        filled = QueryParams([(name, value) for name, value in request.query_params.multi_items() if value.strip()])
        return lambda call: make(Asked(self._service.corpora, filled, call))

    async def _in_parts(self, request: Request, opened: dict[str, Any]) -> AsyncIterator[bytes]:
        """Send the page of an open question: its head, results, facets, answer. Where a language model writes that, its
        draft comes as it grows. The style puts each in its place, so no script is needed."""
        template = self._templates.get_template("search.html")
        values = {**template.globals, **self._common(request), **opened}
        context = template.new_context(values, shared=True)  # a block reads the values when its turn comes
        chunks = template.root_render_func(context)

        def next_part() -> bytes:
            part = []
            for chunk in chunks:
                part.append(chunk)
                if _PART in chunk:
                    break
            return "".join(part).replace(_PART, "").encode("utf-8", "replace")

        yield next_part()

        def searched(asked: Asked) -> dict[str, Any]:
            return searching.search(asked.about(values["question"]), values["chosen"])

        def faceted(asked: Asked) -> dict[str, Any]:
            chosen, about = values["chosen"], asked.about(values["question"])
            return {
                "facets": searching.facets(about, chosen[0], values["question"]) if len(chosen) == 1 else [],
                "recipes": searching.recipes(asked, chosen[0]) if chosen else [],
                "personas": answers.personas(asked),
                "comments": doing.notes_about(asked, values["question"], chosen[0]) if len(chosen) == 1 else [],
            }

        def answered(asked: Asked) -> dict[str, Any]:
            return answers.answer(asked.about(values["question"]), values)

        try:
            values |= await self._asked(request, searched)
            yield next_part()
            values |= await self._asked(request, faceted) | {"drafting": answers.is_written()}
            yield next_part()
            drafts = drafted(self._service, request.scope[CALLER], self._work(request, answered))
            async with aclosing(drafts):
                async for part in answers.paragraphs(drafts):
                    if isinstance(part, Done):
                        values |= part.value
                    else:
                        yield part.encode("utf-8", "replace")
        except BiblicusError as error:
            values["problem" if values["result"] is None else "answer_problem"] = error
        while rest := next_part():
            yield rest

    def _written(self, request: Request, template: str, values: dict[str, Any], status: int = 200) -> Response:
        html = self._templates.get_template(template).render(self._common(request) | values)
        return Response(html.encode("utf-8", "replace"), status, _PRIVATE, "text/html; charset=utf-8")

    def _common(self, request: Request) -> dict[str, Any]:
        """Return the values that every page has."""
        caller: Caller = request.scope[CALLER]
        visitor = request.scope[VISITOR]
        corpora, asked_corpus = self._service.corpora, request.query_params.get("corpus", "")
        return {
            "form_token": self._sessions.form_token(visitor),
            "signed_in": self._sessions.token(visitor) is not None,
            "corpora": corpora.names(guest=caller.call.guest) if caller.scopes else [],
            "here": request.url.path,
            "again": joined(request.url.path, request.query_params.multi_items()) if self._is_followed else "",
            "asked_corpus": asked_corpus,
            "own": joined("", [("corpus", asked_corpus)] if asked_corpus else []),
            "local": not caller.call.guest,
            "may_ingest": "ingest" in caller.scopes and corpora.may_change(asked_corpus, guest=caller.call.guest),
        }

    async def _form(self, request: Request) -> QueryParams:
        """Return the fields of a form shown to this visitor. Raises `FormRefused`, `UsageError`."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _FORM:
                raise UsageError("The form is too large.")
        fields = QueryParams(body.decode("utf-8", "replace"))
        self._refuse_forged(request, fields)
        return fields

    def _refuse_forged(self, request: Request, fields: QueryParams) -> None:
        """Raise `FormRefused` for a form that was not shown to this visitor."""
        if not self._sessions.is_form_of(request.scope[VISITOR], fields.get("form_token", "")):
            raise FormRefused

    # --- special pages ---

    async def _question(self, request: Request) -> Response:
        """A question's page, of which an answer is a part; without a question the corpus. A question that goes on comes
        in a form, with the turns before it."""
        fields = await self._form(request) if request.method == "POST" else request.query_params
        turns, persona = fields.getlist("turn"), fields.get("persona", "")
        question = fields.get("q", "").strip()[:10_000]
        if "keep" in fields:
            _refuse_reader(request)
            values = await self._asked(request, lambda asked: answers.as_note(asked, turns, persona), RECEIVE)
            return self._written(request, "search.html", values)
        if not question:
            return self._written(
                request, "home.html", await self._asked(request, lambda asked: browsing.home(asked, self._service.jobs))
            )
        opened = await self._asked(request, lambda asked: answers.open_question(asked, question, turns, persona))
        headers = {**_PRIVATE, "Content-Encoding": "identity"}  # what is compressed comes when it is whole
        return StreamingResponse(self._in_parts(request, opened), 200, headers, "text/html; charset=utf-8")

    async def _suggest(self, request: Request) -> Response:
        return JSONResponse(await self._asked(request, self._titles.suggestions), headers=_PRIVATE)

    async def _picture(self, request: Request) -> Response:
        item = request.path_params["item"]

        def drawn(asked: Asked) -> PageImage:
            words = {"item": item, "page": asked.number("page"), "mark": asked.words.getlist("mark")}
            words |= {name: asked.number(name) for name in ("pixels", "crop") if name in asked.words}
            request = fitting(PAGE_IMAGE.request, words, "That does not work")
            return asked.corpora.ask(asked.corpus, PAGE_IMAGE, request, asked.call)

        picture: PageImage = await self._asked(request, drawn)
        tag = f'"{picture.sha256[:32]}"'
        headers = {**_PRIVATE, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(picture.png, headers=headers, media_type="image/png")

    async def _file(self, request: Request) -> Response:
        item, byte_range = request.path_params["item"], request.headers.get("range", "")

        def sent(asked: Asked) -> showing.Stretch | showing.Icon:
            return showing.stretch(asked, item, byte_range)

        try:
            part = await self._asked(request, sent)
            if isinstance(part, showing.Icon):
                svg = self._templates.get_template("icon.svg").render(name=part.name)
                return Response(svg, headers=_PRIVATE, media_type="image/svg+xml")
            return showing.response(part, _PRIVATE)
        except OutOfBounds:
            return Response(status_code=416, headers=_PRIVATE)

    # --- actions that need the `ingest` scope ---

    async def _upload(self, request: Request) -> Response:
        _refuse_reader(request)
        content_type, body = request.headers.get("content-type", ""), await request.body()
        form = await asyncio.to_thread(doing.sent, content_type, body)  # may be as large as a document, so in a thread
        self._refuse_forged(request, form.fields)

        def made(asked: Asked) -> dict[str, Any]:
            return doing.brought(asked, self._service, form.files)

        return self._written(request, "brought.html", await self._asked(request, made, RECEIVE))

    async def _done(self, request: Request) -> Response:
        """Set tags or a weight, or start a job; then return the page with the result."""
        _refuse_reader(request)
        fields, what = await self._form(request), request.path_params["what"]

        def done(asked: Asked) -> str:
            if what in ("reindex", "sync"):
                return asked.address(f"/corpus/jobs/{doing.begun(asked, self._service, what, fields).job_id}")
            changes = {"tag": doing.tagged, "weight": doing.weighed, "note": doing.noted, "unnote": doing.unnoted}
            if what not in changes:
                raise RouteNotFound
            return changes[what](asked, fields)

        return RedirectResponse(await self._asked(request, done, WEIGHT), 303)

    def _job(self, job: str) -> Make:
        return lambda asked: doing.job(asked, self._service, job)

    async def _progress(self, request: Request) -> Response:
        job = request.path_params["job"]
        await self._asked(request, self._job(job))  # raises if it does not exist or is not visible
        lines = doing.progress(self._service, job)
        return StreamingResponse(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    # --- access ---

    async def _open(self, request: Request) -> Response:
        """Exchange a one-time token for a session."""
        session = self._sessions.redeem(request.query_params.get("token", ""))
        if session is None:
            return self._written(request, "sign_in.html", {"problem": "used", "next": "/"}, 403)
        return self._led(request, session, "/")

    async def _sign_in(self, request: Request) -> Response:
        if request.method == "GET":
            following = _inside(request.query_params.get("next", "/"))
            return self._written(request, "sign_in.html", {"problem": "", "next": following})
        fields = await self._form(request)
        following = _inside(fields.get("next", "/"))
        token = fields.get("token", "").strip()
        if self._tokens.known(token) is None:
            return self._written(request, "sign_in.html", {"problem": "unknown", "next": following}, 403)
        return self._led(request, self._sessions.begin(token), following)

    async def _sign_out(self, request: Request) -> Response:
        await self._form(request)
        self._sessions.end(request.scope[VISITOR])
        return RedirectResponse("/sign-in", 303)

    def _led(self, request: Request, session: str, following: str) -> Response:
        """Return the page that sets the cookie and leads on."""
        headers = {**_PRIVATE, "Set-Cookie": set_cookie(request.scope, session)}
        return Response(WAY_IN.format(escape(following)), 200, headers, "text/html; charset=utf-8")


class Page:
    """The page of one service.

    `tokens`: valid tokens; None: those of this user, and one of its own. `is_followed`: changes in the folders are
    indexed automatically."""

    def __init__(self, tokens: Tokens | None = None, *, is_followed: bool = False) -> None:
        self.tokens = shell.PageTokens("ingest") if tokens is None else tokens
        self._is_followed = is_followed
        self._sessions = shell.Sessions()

    def mount(self, app: Starlette, service: Service) -> None:
        """Add the page's routes before the service's."""
        page_routes = Pages(service, self._sessions, self.tokens, is_followed=self._is_followed)
        app.router.routes[:0] = page_routes.routes()

    def around(self, app: ASGIApp) -> ASGIApp:
        """Wrap the service with the page's cookie and policy."""
        return shell.Shell(app, self._sessions)

    @staticmethod
    def is_open(path: str) -> bool:
        """Check if an address of the page needs no token."""
        return shell.is_open(path)

    @contextmanager
    def way_in(self, address: str) -> Iterator[Path]:
        """Yield a temporary file that opens the page in this user's browser, once and only for a short time."""
        assert isinstance(self.tokens, shell.PageTokens)
        folder = user_folder("state")
        files.make_folder(folder, 0o700)
        file = folder / f"open-{os.getpid()}.html"
        once = self._sessions.once(self.tokens.own)
        files.write(file, shell.WAY_IN.format(escape(f"{address}/open?token={once}")).encode(), mode=0o600)
        try:
            yield file
        finally:
            with suppress(OSError):
                file.unlink()


def _refuse_reader(request: Request) -> None:
    if "ingest" not in request.scope[CALLER].scopes:
        raise ScopeMissing("ingest")


def _named(make: Callable[[Asked, str], dict[str, Any]], field: str) -> Callable[[Request], Make]:
    """Return a maker of pages about the item, run or evaluation in the address."""
    return lambda request: lambda asked: make(asked, request.path_params[field])


_REPORT = Path(report.__file__).parent
_OF_REPORTS = {"report.css": _REPORT / "page.css", "report.js": _REPORT / "page.js"}
"""Files used by evaluation reports."""
_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    file = _OF_REPORTS.get(name, _HERE / "static" / name)
    if file.suffix not in _KINDS or name != Path(name).name or not file.is_file():
        raise RouteNotFound
    return Response(_bytes_of(file), headers={"Cache-Control": "public, max-age=3600"}, media_type=_KINDS[file.suffix])


async def _moved(request: Request) -> Response:
    """Lead from an address of earlier versions to the one page."""
    return RedirectResponse(joined("/", request.query_params.multi_items()), 303)


async def _nowhere(request: Request) -> Response:
    raise RouteNotFound


@functools.cache
def _bytes_of(file: Path) -> bytes:
    return file.read_bytes()


def _inside(address: str) -> str:
    """Return the address if it is on this service, otherwise the first page."""
    inside = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if inside and address.isprintable() else "/"
