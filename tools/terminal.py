"""Record a session of the terminal as a picture: the bare command in the example corpus, a question, a number.

`python -m tools.terminal [FILE]`: writes the SVG, by default the one of the README. Runs the real program on a
pseudo-terminal, and draws with rich what it printed.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from biblicus import Corpus

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "terminal.svg"
TYPED = ("What does a lift cost?", "1", "")
COLUMNS, ROWS = 96, 60
_PROMPT = b"> "
_INK, _GREY = (28, 33, 38), (85, 96, 106)
_HUES = [(163, 38, 27), (27, 107, 58), (122, 84, 0), (19, 90, 124), (117, 63, 131), (0, 98, 104)]
_THEME = TerminalTheme((252, 251, 248), _INK, [_INK, *_HUES, _GREY], [_GREY, *_HUES, _INK])
"""Colours of the page (docs/design.md), each at least 4.5 to 1 on its paper."""
_SVG = """<svg xmlns="http://www.w3.org/2000/svg" class="rich-terminal" viewBox="0 0 {width} {height}" role="img">
<title>biblicus in a terminal: its state, a question, its answer and results, and a result opened</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}</defs>
<rect fill="#fcfbf8" stroke="#dcd8ce" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""As rich draws it, without the window around it and without a font from another host."""


def session(folder: Path, typed: Sequence[str] = TYPED) -> str:
    """Return what a terminal shows of `biblicus` in a corpus while these lines are typed."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    left_out = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    environment = {name: value for name, value in os.environ.items() if name not in left_out} | {"TERM": "xterm"}
    program = [sys.executable, "-m", "biblicus"]
    shown, lines = b"", list(typed)
    with subprocess.Popen(program, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        while True:
            try:
                shown += os.read(ours, 65_536)
            except OSError:  # the program has ended
                break
            if lines and re.split(rb"\r?\n", shown)[-1] == _PROMPT:
                os.write(ours, lines.pop(0).encode() + b"\n")
    os.close(ours)
    if process.returncode:
        raise RuntimeError(f"biblicus left with {process.returncode}: {shown.decode('utf-8', 'replace')}")
    return shown.decode().replace("\r\n", "\n")


def recorded() -> str:
    """Return the session in a copy of the example, indexed by words, as text with its colours."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "my-harbour"
        shutil.copytree(ROOT / "examples" / "harbour", folder)
        with Corpus.init(folder) as corpus:
            corpus.reindex("lexical")
        return "$ biblicus\n" + session(folder).removesuffix("> \n")


def drawn(transcript: str) -> str:
    """Return a session as SVG."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(transcript), soft_wrap=False)
    return console.export_svg(title="biblicus in a terminal", theme=_THEME, code_format=_SVG, unique_id="biblicus")


def words_of(svg: str) -> str:
    """Return the text of such a picture, line by line without white space at their ends."""
    lines: dict[float, str] = {}
    for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        height = float(text.attrib["y"])
        lines[height] = lines.get(height, "") + (text.text or "").replace("\xa0", " ")
    return "\n".join(line.rstrip() for _, line in sorted(lines.items()) if line.strip())


def main(file: str = str(PICTURE)) -> int:
    """Write the picture. Return the exit code."""
    Path(file).write_text(drawn(recorded()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
