"""Steps about the page in the browser: who looks where, follows what, and sees which words marked."""

import json
import wave
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from pytest_bdd import given, then, when
from selectolax.lexbor import LexborNode

from features.phrase import phrase
from features.world import Table, World
from tests.pictures import Picture, blank
from tests.visitor import Visitor, no_tokens, page_of


@pytest.fixture
def pages() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@given("the page is served", target_fixture="visitor")
def served(world: World, pages: ExitStack) -> Visitor:
    address, _ = pages.enter_context(page_of(str(world.folder), tokens=no_tokens(world.folder.parent)))
    return Visitor(address)


@given(phrase('I looked at "{address}"'))
@when(phrase('I look at "{address}"'))
def look(visitor: Visitor, address: str) -> None:
    visitor.look(address)


@when(phrase('I follow "{words}"'))
def follow(visitor: Visitor, words: str) -> None:
    visitor.follow(words)


@when(phrase('I ask "{question}"'))
def ask(visitor: Visitor, question: str) -> None:
    visitor.send("/ask", q=question)
    assert visitor.status == 200, visitor.raw


@then(phrase('I see "{words!}"'))
def see(visitor: Visitor, words: str) -> None:
    assert words in " ".join(visitor.texts("main")), visitor.texts("main")


@then(phrase('a statement reads "{words!}"'))
def statement_reads(visitor: Visitor, words: str) -> None:
    assert words.replace("\\n", "\n") in [node.text() for node in visitor.nodes(".statements q")]


@then(phrase('I see no "{words!}"'))
def see_not(visitor: Visitor, words: str) -> None:
    assert visitor.status == 200
    shown = visitor.texts("h1, h2, p, .lines, .document, table")  # a citation to copy has every character
    assert words not in " ".join(shown)


@then(phrase("it answers with {status#}"))
def answers_with(visitor: Visitor, status: str) -> None:
    assert visitor.status == int(status)


@then(phrase('"{address}" answers with {status#}'))
def address_answers_with(visitor: Visitor, address: str, status: str) -> None:
    assert visitor.ask("GET", address).status == int(status)


@then(phrase('I see a chart of "{what}"'))
def see_chart(visitor: Visitor, what: str) -> None:
    (chart,) = [one for one in visitor.nodes("svg[role=img]") if one.attributes["aria-label"] == what]
    assert len(chart.css("circle")) > 1


@given("no items are left")
def no_items(world: World) -> None:
    for path in world.folder.rglob("*"):
        if path.is_file() and ".biblicus" not in path.parts:
            path.unlink()


@given(phrase('the files "{first#}.md" to "{last#}.md" have a tag of their own each'))
def tagged_files(world: World, first: str, last: str) -> None:
    for number in range(int(first), int(last) + 1):
        world.path(f"{number}.md").write_text(f"---\ntags: [tag-{number}]\n---\nmoon {number}\n", "utf-8")


@given(phrase('the file "{path}" has {count#} lines of "{names}"'))
def a_long_table(world: World, path: str, count: str, names: str) -> None:
    """Below the names, the second line holds each name with the number 2, and so on."""
    lines = [",".join(f"{name} {number}" for name in names.split(",")) for number in range(2, int(count) + 1)]
    world.path(path).write_text("\n".join([names, *lines, ""]), "utf-8")


def texts_of(row: LexborNode, selector: str) -> list[str]:
    return [" ".join(cell.text().split()) for cell in row.css(selector)]


@then("I see the grid")
def see_grid(visitor: Visitor, datatable: Table) -> None:
    assert [texts_of(row, "th, td") for row in visitor.nodes("table.grid tr")] == [list(row) for row in datatable]


@then("I see the table")
def see_table(visitor: Visitor, datatable: Table) -> None:
    (table,) = visitor.nodes("table.rows")
    assert texts_of(table, "thead th") == list(datatable[0])[1:]
    assert [texts_of(row, "th, td") for row in table.css("tbody tr")] == [list(row) for row in datatable[1:]]


@then(phrase('the cells of row "{number}" are marked'))
def row_marked(visitor: Visitor, number: str) -> None:
    (row,) = visitor.nodes("tr#mark")
    assert texts_of(row, "th") == [number]
    cells = [text for text in texts_of(row, "td") if text]
    assert cells == texts_of(row, "mark.cited") == visitor.texts("mark.cited")


@then(phrase('the cells "{words}" are marked'))
def cells_marked(visitor: Visitor, words: str) -> None:
    assert visitor.texts("td.cited") == words.split(", ")


@then(phrase('I see the column names "{names}"'))
def see_names(visitor: Visitor, names: str) -> None:
    assert visitor.texts("thead th[scope=col]") == names.split(", ")


@then("I see the results")
def see_results(visitor: Visitor, datatable: Table) -> None:
    assert visitor.texts(".results h3") == [row[0] for row in datatable[1:]]


@then(phrase('the address says "{one}" and "{two}"'))
def address_says(visitor: Visitor, one: str, two: str) -> None:
    assert one in visitor.address
    assert two in visitor.address


@then(phrase('the words "{words!}" are marked'))
def are_marked(visitor: Visitor, words: str) -> None:
    assert visitor.texts(".cited") == [words]
    assert len(visitor.nodes("#mark")) == 1


@then("the picture that I see has marks")
def picture_has_marks(visitor: Visitor) -> None:
    (image,) = visitor.nodes("figure img")
    picture = visitor.look(str(image.attributes["src"])).raw
    assert Picture.read(picture).feet()


@then(phrase('the result "{name}" has a small picture'), target_fixture="small")
def small_picture(visitor: Visitor, name: str) -> bytes:
    result = next(one for one in visitor.nodes(".results > li") if name in one.css_first("h3").text())
    source = str(result.css_first("img[loading=lazy]").attributes["src"])
    answer = Visitor(visitor.home).ask("GET", source)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert len(answer.raw) < 20_000
    return answer.raw


@then(phrase('the result "{name}" has a small picture with marks'))
def small_picture_with_marks(visitor: Visitor, name: str) -> None:
    assert Picture.read(small_picture(visitor, name)).feet()


@then("the first citation shows a part of its page with marks")
def part_of_page(visitor: Visitor) -> None:
    source = str(visitor.nodes(".notes .crop img")[0].attributes["src"])
    part = Picture.read(Visitor(visitor.home).ask("GET", source).raw)
    assert part.feet()
    assert 5 * part.height < part.width


@given(phrase('the picture "{path}" of {width#} by {height#} dots'))
def a_picture(world: World, path: str, width: str, height: str) -> None:
    world.path(path).write_bytes(blank(int(width), int(height)))


@given(phrase('the recording "{path}" with the transcript "{words}"'))
def a_recording(world: World, path: str, words: str, docstring: str) -> None:
    """A minute of silence."""
    with wave.open(str(world.path(path)), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(2_000)
        sound.writeframes(bytes(120_000))
    world.path(words).write_text(f"{docstring}\n", "utf-8")


@then(phrase("the picture that I see has {width#} by {height#} dots"))
def picture_is_shown(visitor: Visitor, width: str, height: str) -> None:
    (image,) = visitor.nodes("figure img")
    visitor.look(str(image.attributes["src"]))
    assert (visitor.status, visitor.headers["content-type"]) == (200, "image/png")
    assert visitor.raw == blank(int(width), int(height))


@then(phrase("the recording that I hear begins at {seconds#} seconds"))
def recording_begins(visitor: Visitor, seconds: str) -> None:
    (player,) = visitor.nodes("audio[controls]")
    source, _, time = str(player.attributes["src"]).partition("#")
    assert time == f"t={seconds}"
    visitor.ask("GET", source, Range="bytes=0-3")
    assert (visitor.status, visitor.raw, visitor.headers["content-type"]) == (206, b"RIFF", "audio/wav")


@then("I can step through the matches")
def step(visitor: Visitor) -> None:
    visitor.look("/?q=moon").follow("Tides" if "Tides" in visitor.texts(".results h3") else "gulls")
    titles = []
    while following := visitor.nodes("a[rel=next]"):
        titles.append(visitor.texts("h1")[0])
        visitor.look(str(following[0].attributes["href"]))
        assert len(titles) < 20
    assert visitor.texts(".bar .count")[0].split(" of ")[0] == visitor.texts(".bar .count")[0].split(" of ")[1]


@then(phrase('note {number#} leads to the marked words "{words!}"'))
def note_leads(visitor: Visitor, number: str, words: str) -> None:
    visitor.follow(number)
    assert visitor.texts("mark.cited, p.cited") == [words]


@then(phrase('"{address}" shows no picture, and why'))
def no_picture(visitor: Visitor, address: str) -> None:
    visitor.look(address)
    assert visitor.status == 200
    assert visitor.nodes("figure") == []
    assert "No text could be read" in visitor.texts("main")[0]


@then(phrase('the facet "{name}" has the values "{values}"'))
def facet_has(visitor: Visitor, name: str, values: str) -> None:
    boxes = [box for box in visitor.page.css(".facet") if texts_of(box, "h2") == [name]]
    assert [" ".join(text.split()) for box in boxes for text in texts_of(box, "li")] == values.split(", ")


@then(phrase('I see the answer "{words!}" as "{band}"'))
def answer_as(visitor: Visitor, words: str, band: str) -> None:
    assert any(words in text for text in visitor.texts(f".answer .statements.{band}")), visitor.texts(".answer")


@then("I see results")
def results(visitor: Visitor) -> None:
    assert visitor.nodes(".results h3 a")


@then("results have no scores")
def no_scores(visitor: Visitor) -> None:
    assert not visitor.nodes(".results .score")


@then("each result has its scores")
def scores(visitor: Visitor) -> None:
    assert len(visitor.nodes(".results .score dd")) >= len(visitor.nodes(".results > li")) > 0


@then(phrase('"{words!}" is folded behind "{summary!}"'))
def folded(visitor: Visitor, words: str, summary: str) -> None:
    (fold,) = visitor.nodes(".answer details.thin")
    assert "open" not in fold.attributes
    assert any(summary in text for text in texts_of(fold, "summary"))
    assert any(words in text for text in texts_of(fold, ".statements"))


@then(phrase('the address is "{address!}"'))
def address_is(visitor: Visitor, address: str) -> None:
    assert visitor.address == address


@then(phrase('I see the suggestions "{words!}"'))
def suggestions(visitor: Visitor, words: str) -> None:
    assert json.loads(visitor.raw) == words.split(", ")


@given(phrase('the mail "{path}" to "{name}" about "{subject}" says "{words!}"'))
def a_mail(world: World, path: str, name: str, subject: str, words: str) -> None:
    head = f"From: Ada <ada@ship.example>\nTo: {name} <{name.lower()}@ship.example>\nSubject: {subject}\n"
    world.path(path).write_text(f"{head}Date: Wed, 21 Dec 2022 10:28:53 +0000\n\n{words}\n", "utf-8")


@then(phrase('the header of the mail is "{one}" and "{two}"'))
def mail_header(visitor: Visitor, one: str, two: str) -> None:
    assert visitor.texts(".document .field")[:2] == [one, two]


@then(phrase('the passage has the strong marks "{words}"'))
def strong_marks(visitor: Visitor, words: str) -> None:
    assert {text.lower() for text in visitor.texts("article.passage mark.word")} == set(words.split(", "))


@then(phrase('I get the file "{path}" to save'))
def get_file(world: World, visitor: Visitor, path: str) -> None:
    assert visitor.raw == world.path(path).read_bytes()
    assert visitor.headers["content-type"] == "application/octet-stream"
    assert visitor.headers["content-disposition"].startswith("attachment; filename")
