"""The page in a real browser: clicked, typed at, with and without scripts, and over a corpus that means harm."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.connectors.web.pages import Page as UserPage
from features.steps.language_models import define
from tests.answering.language_models import reply, statement
from tests.browser import launched
from tests.extraction.pdf_files import pdf
from tests.folders import corpus_of, write
from tests.llm.server import running
from tests.visitor import no_tokens, page_of

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
MOST_BYTES = 60_000
PATHS = (
    "/",
    "/?q=moon",
    "/c/log.pdf?span=18-53&q=moon",
    "/c/tides.md?lines=5-5#mark",
    "/c/crew.csv?lines=2-2",
    "/c/winch.py?span=0-10",
    "/c/talk.vtt",
    "/?q=Who+pulls+the+tides",
    "/?q=Do+submarines+pull+whales",
    "/corpus",
    "/corpus/runs",
    "/corpus/failures",
    "/corpus/evaluations",
    "/corpus/evaluations/EVALUATION",
    "/sign-in",
    "/c/nosuch",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as started:
        yield started


@pytest.fixture(scope="module")
def axe() -> str:
    """The program of axe-core, which judges a page."""
    if not AXE.exists():
        pytest.skip("axe-core is missing: make .venv/.browser")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("browser") / "harbour"
    with Corpus.init(folder) as made:
        (folder / "tides.md").write_text("# Tides\n\n## Why\n\nThe moon pulls the tides.\n", "utf-8")
        (folder / "crew.csv").write_text("name,trade\nAda,pilot\n", "utf-8")
        cues = "WEBVTT\n\n00:11.000 --> 00:12.000\nThe moon.\n\n00:13.000 --> 00:14.000\nThe tides.\n"
        (folder / "talk.vtt").write_text(cues, "utf-8")
        (folder / "winch.py").write_text('def grease():\n    return "moon"\n', "utf-8")
        (folder / "broken.pdf").write_bytes(b"no PDF")
        (folder / "log.pdf").write_bytes(pdf("Nothing happened.", "The pilot saw the moon.\nGulls came."))
        made.reindex()
        made.reindex("scan")
        questions = folder / ".biblicus" / "datasets" / "keeper" / "questions.jsonl"
        questions.parent.mkdir(parents=True)
        questions.write_text(
            '{"id": "1", "query": "the moon", "relevant": [{"item": "tides.md", "grade": 1}]}\n', "utf-8"
        )
        for _ in range(2):
            made.evaluate("keeper", recipes=("lexical", "scan"))
    with page_of(str(folder), tokens=no_tokens(folder.parent)) as (address, _):
        yield address


Looked = Callable[..., Any]


@pytest.fixture
def look(browser: Any, home: str) -> Iterator[Looked]:
    """Opens addresses, each in a window of its own. Whatever the browser complains of fails the test."""
    complaints: list[str] = []
    with ExitStack() as stack:

        def opened(path: str, *, at: str = home, **settings: Any) -> Any:
            context = browser.new_context(**settings)
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda said: complaints.extend([said.text] if said.type == "error" else []))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("dialog", lambda dialog: complaints.append(dialog.message))
            page.on("request", lambda asked: complaints.extend([] if asked.url.startswith(at) else [asked.url]))
            page.goto(at + path)
            return page

        yield opened
    assert [text for text in complaints if "404" not in text] == []


def test_a_question_leads_to_the_words_on_the_page(look: Looked, home: str) -> None:
    page = look("/")
    page.wait_for_selector("#q:focus")  # a browser gives it a moment after the page is there
    page.keyboard.type("who saw the moon")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=who**")
    page.goto(home + page.locator(".results a", has_text="log").first.get_attribute("href"))
    page.wait_for_selector(".standing.verified")
    image = page.locator("figure#mark img")  # the address leads to the picture, not to the page's text below
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 1_000
    assert "The pilot saw the moon" in image.get_attribute("alt")
    marked = image.evaluate(
        """image => { const canvas = document.createElement("canvas");
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
        const drawn = canvas.getContext("2d"); drawn.drawImage(image, 0, 0);
        const all = drawn.getImageData(0, 0, canvas.width, canvas.height).data, rows = [];
        for (let at = 0; at < all.length; at += 4)
          if (all[at] === 255 && all[at + 1] === 214 && all[at + 2] === 84)
            rows.push(Math.floor(at / 4 / canvas.width) / canvas.height);
        return [Math.min(...rows.slice(0, 9)), Math.max(...rows.slice(-9))]; }"""
    )
    assert 0.08 < marked[0] < marked[1] < 0.16  # the two lines stand 100 and 120 of 800 points from the top


def test_who_asks_before_anything_is_indexed_sees_it_when_it_is(look: Looked, tmp_path: Path) -> None:
    """With scripts by itself, without them by a link."""
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as made:
        (folder / "tides.md").write_text("The moon pulls the tides.\n", "utf-8")
        followed = UserPage(no_tokens(tmp_path), is_followed=True)
        with page_of(str(folder), page=followed) as (address, _):
            page = look("/?q=moon", at=address)
            plain = look("/?q=moon", at=address, java_script_enabled=False)
            assert "read for the first time" in page.inner_text(".found")
            made.reindex()
            page.wait_for_selector(".results h3 >> text=tides")
            plain.get_by_role("link", name="Ask again").click()
            plain.wait_for_selector(".results h3 >> text=tides")
            answered = look("/?q=What+pulls+the+tides", at=address)
            assert "The moon pulls the tides." in answered.inner_text("main")


def test_files_are_brought_in_and_their_indexing_is_followed(browser: Any, axe: str, tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    corpus_of(folder, {})
    page_of_user = UserPage()
    with page_of(str(folder), page=page_of_user) as (address, _), page_of_user.way_in(address) as file:
        context = browser.new_context()
        page = context.new_page()
        page.goto(re.findall(r'href="([^"]+)"', file.read_text("utf-8"))[0])
        page.wait_for_url(f"{address}/")
        page.goto(f"{address}/corpus")
        page.set_input_files(
            "#files", [{"name": "gulls.md", "mimeType": "text/plain", "buffer": b"Gulls follow boats."}]
        )
        page.get_by_role("button", name="Bring in", exact=True).click()
        page.get_by_role("link", name="They are being indexed").click()
        page.wait_for_selector(".standing.verified")
        page.goto(f"{address}/corpus")
        page.evaluate(
            """() => { const carried = new DataTransfer();
            carried.items.add(new File(["Winches need oil."], "oil.md"));
            document.querySelector("[data-drop]").dispatchEvent(
              new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true})); }"""
        )
        page.get_by_role("link", name="They are being indexed").click()
        page.wait_for_selector(".standing.verified")
        for path in ("/corpus", "/corpus/sources", "/c/imports/gulls.md"):
            page.goto(address + path)
            page.evaluate(axe)
            forms = {"/corpus": 2, "/corpus/sources": 0}.get(path, 3)  # of an item: remove, tag, note
            assert page.locator("form[action^='/corpus/']").count() == forms, path
            assert broken_rules(page, _EVERYTHING) == [], path
        page.goto(f"{address}/?q=winches+gulls")
        assert page.locator(".results h3").count() == 2
        context.close()


def test_keys_read_results_beside_the_list_without_loading_the_page(look: Looked) -> None:
    page = look("/?q=moon", viewport={"width": 1300, "height": 800})
    page.evaluate("window.stayed = true")
    first, second = page.locator(".results h3 a").all_inner_texts()[:2]

    def is_beside(result: str) -> None:
        page.wait_for_function("result => result.includes(document.querySelector('#beside h1')?.innerText)", arg=result)

    for key in "jj":
        page.keyboard.press(key)
    assert page.locator(".results .reading h3").inner_text() == second
    is_beside(second)
    page.keyboard.press("k")
    is_beside(first)
    page.keyboard.press("n")
    is_beside(second)
    page.keyboard.press("k")
    page.keyboard.press("n")  # at once, while the second still stands there: the place after the first
    page.wait_for_load_state("networkidle")
    is_beside(second)
    page.keyboard.press("Escape")
    page.wait_for_selector("#beside h1", state="detached")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("?")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    assert page.evaluate("window.stayed")


def test_a_note_opens_the_reader_beside_the_answer(look: Looked) -> None:
    page = look("/?q=Who+pulls+the+tides", viewport={"width": 1300, "height": 800})
    page.get_by_role("link", name="Note 1").click()
    page.wait_for_selector("#beside .cited")
    assert page.locator("#beside .cited").inner_text() == "The moon pulls the tides."
    assert "/?q=" in page.url


def test_on_a_phone_the_document_lies_over_the_results_and_back_closes_it(look: Looked) -> None:
    page = look("/?q=moon", viewport={"width": 390, "height": 800})
    page.locator(".results h3 a").first.click()
    page.wait_for_selector("#beside h1")
    assert page.evaluate("document.elementFromPoint(195, 400).closest('#beside') !== null")
    page.go_back()
    page.wait_for_selector("#beside h1", state="detached")
    assert page.locator(".results h3").count() > 1


def test_what_was_asked_is_suggested_again_in_this_browser_alone(look: Looked) -> None:
    page = look("/")
    page.locator("#q").fill("who saw the moon")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=who**")
    page.locator("#q").fill("who")
    page.wait_for_selector("#suggestions option[value='who saw the moon']", state="attached")
    page.locator("#q").fill("tid")
    page.wait_for_selector("#suggestions option[value='Tides']", state="attached")


_EVERYTHING = '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]'
_SEEN = '{type: "rule", values: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]}'


def broken_rules(page: Any, rules: str) -> list[Any]:
    """What axe finds, with the elements."""
    violations = page.evaluate(f"axe.run({{runOnly: {rules}}}).then(found => found.violations)")
    return [(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in violations]


def test_everybody_can_use_it_light_and_dark_narrow_and_wide(look: Looked, home: str, axe: str) -> None:
    page = look("/")
    page.goto(home + "/corpus/evaluations")
    evaluation = page.locator("td a").first.get_attribute("href").rpartition("/")[2]
    for path in (path.replace("EVALUATION", evaluation) for path in PATHS):
        page.goto(home + path)
        page.evaluate(axe)
        for scheme, width, rules in (("light", 1280, _EVERYTHING), ("dark", 360, _SEEN)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            assert broken_rules(page, rules) == [], (path, scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is too wide"
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=/static/icon.svg>')")
    assert "image-alt" in [rule for rule, _ in broken_rules(page, _EVERYTHING)]  # the judge is awake


def test_a_first_look_weighs_little(look: Looked, browser: Any, home: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(f"{home}/?q=moon", wait_until="networkidle")
    context.close()
    assert len(sizes) >= 3
    assert sum(sizes) <= MOST_BYTES


def test_it_works_without_scripts(look: Looked) -> None:
    page = look("/", java_script_enabled=False)
    page.get_by_label("Question", exact=True).fill("who pulls the tides")
    page.get_by_role("button", name="Ask", exact=True).click()
    answer, results = (page.locator(part).bounding_box()["y"] for part in (".answer", ".found"))
    assert answer < results  # it came later and stands above
    page.get_by_label("Ask on").fill("And what do they follow?")
    page.get_by_role("button", name="Ask on").click()
    assert "The moon pulls the tides." in page.locator(".turn").inner_text()
    page.locator(".results a").first.click()
    assert page.locator(".cited").count()


def test_a_draft_gives_way_to_the_answer_without_scripts(
    look: Looked, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = reply(statement("The moon pulls.", (1, "The moon pulls the tides.")))
    with running() as model:
        define(monkeypatch, model, "mine")
        monkeypatch.setenv("BIBLICUS_ANSWERER", "llm")
        model.says, model.script = [json.dumps(stated)], ["halting"]
        page = look("/", java_script_enabled=False)
        page.goto(f"{home}/?q=Who+pulls+the+tides", wait_until="commit")
        page.locator("p.draft").wait_for(state="visible")
        assert page.locator(".statements").count() == 0
        model.over.set()
        page.locator(".statements").wait_for(state="visible")
        assert not any(draft.is_visible() for draft in page.locator(".draft").all())


def test_a_service_that_went_is_missed(browser: Any, tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    corpus_of(folder, {"a.txt": "The moon."})
    page = browser.new_context().new_page()
    with page_of(str(folder), tokens=no_tokens(tmp_path)) as (address, _):
        page.goto(f"{address}/?q=moon")
        page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_selector("main > .problem")
    assert "does not answer" in page.locator("main > .problem").inner_text()
    page.context.close()


# --- a corpus that means harm -----------------------------------------------------------------------------------------

_SCRIPT = "window.executed = (window.executed || 0) + 1"
_MARKUP = f'<img src=x onerror="{_SCRIPT}"><script>{_SCRIPT}</script>'
_HOSTILE = {
    "plain.md": f"---\ntitle: '{_MARKUP}'\ntags: ['{_MARKUP}']\n---\n# {_MARKUP}\n\nmoon {_MARKUP}\n",
    "links.md": (
        f"# moon\n\n[click](javascript:{_SCRIPT}) [again](JaVaScRiPt:{_SCRIPT}) [data](data:text/html,{_MARKUP})\n"
        f"<javascript:{_SCRIPT}> [tab](java\tscript:{_SCRIPT}) ![x](javascript:{_SCRIPT}) [v](vbscript:{_SCRIPT})\n\n"
        f'[t](https://a.example "\'onmouseover={_SCRIPT}") ![gone](https://evil.example/x.png)\n\n'
        f'<div hx-get="/corpus" hx-trigger="load" hx-on:load="{_SCRIPT}" data-hx-get="/x" onload="{_SCRIPT}">a</div>\n'
    ),
    "moon.svg": (
        f'<svg xmlns="http://www.w3.org/2000/svg" onload="{_SCRIPT}"><script>{_SCRIPT}</script><text>moon</text></svg>'
    ),
    "moon.html": (
        f"<title>{_MARKUP}</title><body onload='{_SCRIPT}'><p>moon</p>{_MARKUP}<iframe src='javascript:{_SCRIPT}'>"
    ),
    "moon.csv": f'name,{_MARKUP}\nmoon,"{_MARKUP}"\n',
    f"moon \x1b[31m\n{_MARKUP.replace('/', '_')}.txt": "The moon \x1b]0;title\x07 \u202e drawkcab\n",
}


def test_nothing_of_a_hostile_corpus_is_executed(look: Looked, tmp_path: Path) -> None:
    """The page's policy is switched off, so that it is not what saves us."""
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as made:
        write(folder, _HOSTILE)
        made.reindex()
        items = made.list()
    assert len(items) == len(_HOSTILE)
    with page_of(str(folder), tokens=no_tokens(tmp_path)) as (address, _):
        paths = ["/?q=moon", "/corpus", "/?q=what+is+the+moon", f"/?q={_MARKUP}", f"/?q=moon&tag={_MARKUP}"]
        for item in items:
            paths += [f"/c/{item.item_id}", f"/c/{item.item_id}?source=1&lines=1-1&q={_MARKUP}"]
        page = look("/", at=address, bypass_csp=True)
        for path in paths:
            page.goto(address + path)
            for link in page.locator("main a").all():
                assert not (link.get_attribute("href") or "/").lower().startswith(("javascript", "data", "vbscript"))
            assert (
                page.locator("main :is(script, iframe, svg:not(.icon), object, embed, [onerror], [onload])").count()
                == 0
            )
            assert page.locator(".document :is([hx-get], [data-hx-get], img)").count() == 0
            assert page.evaluate("window.executed") is None, path
            assert not any(character in page.locator("body").inner_text() for character in "\x1b\x07\u202e"), path
        page.evaluate(f"document.body.insertAdjacentHTML('beforeend', `{_MARKUP.replace('src=x', 'src=/corpus')}`)")
        page.wait_for_function("window.executed === 1")  # what was looked for would have been seen
