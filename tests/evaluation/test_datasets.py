"""Readers of datasets: streams, hostile lines, and what a dataset is made of."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.errors import ConfigInvalid
from biblicus.measure import formats
from biblicus.models.answers.evaluation import JudgedQuestion, Judgement, Must


@given(st.lists(st.text(alphabet="ab \r\t\u2028", max_size=8)), st.integers(1, 7))
def test_lines_are_the_same_however_the_blocks_fall(texts, size):
    whole = "\n".join(texts).encode()
    blocks = [whole[start : start + size] for start in range(0, len(whole), size)]
    found = list(formats.numbered(blocks, "f"))
    assert found == list(formats.numbered([whole], "f"))
    wanted = [(n, text.rstrip("\r")) for n, text in enumerate(texts, 1) if text.rstrip("\r").strip()]
    assert found == wanted


def test_a_byte_order_mark_is_no_part_of_the_first_line():
    assert list(formats.numbered([b"\xef\xbb\xbfa\nb"], "f")) == [(1, "a"), (2, "b")]


def test_a_file_is_never_held_whole():
    taken = []

    def blocks():
        for number in range(1000):
            taken.append(number)
            yield b'{"_id": "%d", "text": "x"}\n' % number

    stream = formats.beir_documents(blocks(), "corpus.jsonl")
    assert next(stream).document_id == "0"
    assert len(taken) < 3


def test_an_endless_line_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(formats, "LONGEST", 100)
    endless = (b"x" * 60 for _ in iter(int, 1))
    with pytest.raises(ConfigInvalid, match="f: line 1: it is longer than 100 bytes"):
        list(formats.numbered(endless, "f"))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "line 1"),
        (b'{"_id": "1", "text": "a"}\n[1]', "line 2: expected a JSON object"),
        (b"\xff\xfe", "line 1: it is not UTF-8 text"),
        (b"[" * 100_000, "line 1"),
        (b'{"_id": "1", "_id": "2", "text": ""}', "line 1: the key"),
        (b'{"_id": NaN, "text": ""}', "line 1"),
        (b'{"_id": "1", "text": "\\ud800"}', "line 1: it holds half of a surrogate pair"),
        (b'{"_id": "1", "text": 5e3}', 'line 1: "text" must be a text'),
        (b'{"_id": "", "text": ""}', 'line 1: "_id" must be a text that is not blank'),
        (b'{"_id": true, "text": ""}', 'line 1: "_id" must be a text'),
        (b'{"_id": "1", "title": [], "text": ""}', 'line 1: "title" must be'),
        (b'{"_id": "1", "text": ""}\n\n{"_id": 1, "text": ""}', 'line 3: the document "1" stands twice'),
    ],
)
def test_hostile_documents_are_one_line_with_file_and_line(data, says):
    with pytest.raises(ConfigInvalid) as caught:
        list(formats.beir_documents([data], "corpus.jsonl"))
    assert f"corpus.jsonl: {says}" in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"q\td", "line 1: expected question"),
        (b"query-id\tcorpus-id\tscore\nq\td\t1\t2", "line 2: expected question"),
        (b"q\td\t0x1", 'line 1: "0x1" is no grade'),
        (b"q\td\t1.5", 'line 1: "1.5" is no grade'),
        (b"q\td\t99999999999", "is no grade"),
    ],
)
def test_hostile_judgements(data, says):
    with pytest.raises(ConfigInvalid, match=says):
        formats.beir_judgements([data], "test.tsv")


def test_judgements_with_and_without_header_and_grades_as_they_come():
    data = b"query-id\tcorpus-id\tscore\nq\tb\t2\nq\tc\t-1\nr\tb\t1.0\n"
    wanted = {"q": [Judgement("b", 2), Judgement("c", -1)], "r": [Judgement("b", 1)]}
    assert formats.beir_judgements([data], "f") == formats.beir_judgements([data.partition(b"\n")[2]], "f") == wanted


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"query": "a", "quary": "a"}, 'unknown key "quary"; did you mean "query"'),
        ({"query": " "}, "query"),
        ({"query": "a", "relevant": "b"}, "relevant"),
        ({"query": "a", "relevant": [{"item": "b", "garde": 1}]}, "garde"),
        ({"query": "a", "relevant": [{"item": "b", "grade": 1.5}]}, "grade"),
        ({"query": "a", "relevant": [{"item": "b", "span": [5, 5]}]}, "ends after it starts"),
        ({"query": "a", "relevant": [{"item": "b", "span": [-1, 5]}]}, "span"),
        ({"query": "a", "kind": "invented"}, "kind"),
    ],
)
def test_hostile_questions(line, says):
    with pytest.raises(ConfigInvalid, match=r"q\.jsonl: line 1") as caught:
        list(formats.questions([json.dumps(line).encode()], "q.jsonl"))
    assert says in caught.value.message


texts = st.text(min_size=1, max_size=20).filter(
    lambda text: text.strip() and not any("\ud800" <= c <= "\udfff" for c in text)
)
spans = st.none() | st.tuples(st.integers(0, 50), st.integers(51, 99))
judgements = st.builds(Judgement, texts, st.integers(-5, 5), spans)
asked = st.builds(
    JudgedQuestion,
    texts,
    texts,
    st.lists(judgements, max_size=3).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
    st.sampled_from(["human", "synthetic"]),
    must=st.builds(
        Must,
        cite=st.lists(texts, max_size=2).map(tuple),
        refuse=st.sampled_from([None, False]),
        layer=st.none() | texts,
        proved=st.booleans(),
        seconds=st.none() | st.floats(0.1, 9),
        tokens=st.none() | st.integers(0, 9),
    ),
)


@given(asked)
def test_a_question_written_is_the_question_read(question):
    assert list(formats.questions([formats.line_of(question).encode()], "f")) == [question]


@given(st.lists(asked, min_size=1, max_size=4, unique_by=lambda one: one.question_id), st.randoms())
def test_the_digest_does_not_depend_on_order(found, random):
    shuffled = list(found)
    random.shuffle(shuffled)
    assert formats.digest(found) == formats.digest(shuffled)


def test_the_digest_depends_on_everything_that_scores():
    base = JudgedQuestion("q", "text", (Judgement("a"),))
    others = [
        JudgedQuestion("r", "text", (Judgement("a"),)),
        JudgedQuestion("q", "other", (Judgement("a"),)),
        JudgedQuestion("q", "text", (Judgement("b"),)),
        JudgedQuestion("q", "text", (Judgement("a", 2),)),
        JudgedQuestion("q", "text", (Judgement("a", 1, (0, 5)),)),
        JudgedQuestion("q", "text", (Judgement("a"),), ("tag",)),
        JudgedQuestion("q", "text", (Judgement("a"),), (), "synthetic"),
    ]
    assert len({formats.digest([one]) for one in [base, *others]}) == len(others) + 1


def test_questions_without_a_relevant_judgement_are_counted():
    found = formats.assemble(
        "d",
        [JudgedQuestion("1", "a"), JudgedQuestion("2", "b"), JudgedQuestion("3", "c")],
        {"1": [Judgement("x", 0), Judgement("y", -1)], "2": [Judgement("x", 1)], "9": [Judgement("x"), Judgement("y")]},
    )
    assert [question.question_id for question in found.questions] == ["2"]
    assert (found.unjudged, found.unasked) == (2, 2)
