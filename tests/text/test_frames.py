"""Places in programs, as tools print them."""

import pytest

from biblicus.text.terms import frames
from biblicus.text.terms.frames import Frame
from tests.sampling import each


@each(
    ("question", "path", "line", "name"),
    [
        ('File "/mole/winch.py", line 12, in haul', "mole/winch.py", 12, "haul"),
        ("src/winch.rs:12:5", "src/winch.rs", 12, ""),
        (" --> src/winch.rs:12:5", "src/winch.rs", 12, ""),
        ("at Winch.haul (node_modules/mole/winch.js:12:5)", "node_modules/mole/winch.js", 12, "haul"),
        ("at org.mole.Winch$Drum.haul(Winch.java:12)", "org/mole/Winch.java", 12, "haul"),
        ("#3 0x5 in haul (rope=0x1) at winch.c:12", "winch.c", 12, "haul"),
        ("at Mole.Winch.Haul(String rope) in C:\\mole\\Winch.cs:line 12", "mole/Winch.cs", 12, ""),
        ("thread 'main' panicked at 'no rope', src/winch.rs:12:5", "src/winch.rs", 12, ""),
        ("  from mole/winch.rb:12:in `haul'", "mole/winch.rb", 12, "haul"),
        ("mole/winch.rb:12:in 'Mole::Winch#haul'", "mole/winch.rb", 12, "haul"),
        ("mole/winch.py:12: in haul", "mole/winch.py", 12, "haul"),
        ("error in /srv/mole/winch.php on line 12", "srv/mole/winch.php", 12, ""),
        ("mole/winch.c(12): error C2065", "mole/winch.c", 12, ""),
        ("\t/tmp/mole/winch.go:12 +0x39", "tmp/mole/winch.go", 12, ""),
        ("what does mole/winch.go do", "mole/winch.go", None, ""),
    ],
)
def test_a_place(question: str, path: str, line: int | None, name: str) -> None:
    assert frames.of(question) == (Frame(tuple(path.split("/")), line, name),)


@pytest.mark.parametrize(
    "question",
    ["what does winch.py do", "rope and/or chain", "version 2.0.8", "https://mole.example/winch.html", "at 12:30 p.m."],
)
def test_no_place(question: str) -> None:
    assert frames.of(question) == ()


def test_the_innermost_call_comes_first() -> None:
    python = 'File "a.py", line 1, in haul\n  wind()\nFile "b.py", line 2, in wind'
    assert [frame.path for frame in frames.of(python)] == [("b.py",), ("a.py",)]
    assert frames.of(frames.unquoted(python)) == frames.of(python)
    pytest_short = "a.py:1: in haul\n    wind()\nb.py:2: in wind"
    assert [frame.path for frame in frames.of(pytest_short)] == [("b.py",), ("a.py",)]
    node = "at wind (b.js:2:1)\n  at haul (a.js:1:1)"
    assert [frame.path for frame in frames.of(node)] == [("b.js",), ("a.js",)]


def test_of_a_long_stack_both_ends_are_looked_at() -> None:
    long = "\n".join(f'File "mole/rope_{at}.py", line {at}, in haul' for at in range(1_000))
    assert frames.of(long)[0] == Frame(("mole", "rope_999.py"), 999, "haul")


@pytest.mark.parametrize(
    ("path", "shared"),
    [("lib/mole/winch.py", 2), ("mole/winch.py", 2), ("pier/winch.py", 0), ("winch.py", 1), ("mole/lamp.py", 0)],
)
def test_what_may_be_the_same_file(path: str, shared: int) -> None:
    assert Frame(("srv", "mole", "winch.py")).shared(path) == shared
