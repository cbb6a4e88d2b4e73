"""Take pictures of the page with the browser of the tests: each view narrow, medium and wide, light and dark.

`python -m tools.pictures FOLDER [CORPUS ADDRESS ...]`: serves the corpus, else one of this repository's documentation,
and writes `NAME-WIDTH-SCHEME.png`. An address that ends with `+j` shows its first result beside the list.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biblicus import Corpus
from tests.extraction.pdf_files import pdf
from tests.visitor import no_tokens, page_of

ROOT = Path(__file__).resolve().parents[1]
WIDTHS = (390, 768, 1440)
VIEWS = {
    "home": "/",
    "answer": "/?q=What+does+exit+code+7+mean%3F",
    "beside": "/?q=When+is+the+ship%27s+dinner%3F+j",
    "mail": "/c/dinner.eml?lines=9-9",
    "code": "/c/code/kinds.py?lines=60-64",
    "table": "/c/crew.csv?lines=3-3",
    "page": "/c/log.pdf?span=0-17",
    "corpus": "/corpus",
}
_MAIL = """From: Ada Pilot <ada@ship.example>
To: Ben Cook <ben@ship.example>
Subject: Dinner on Friday
Date: Wed, 21 Dec 2022 10:28:53 +0000

Dear Ben,

the ship's dinner is on Friday at eight, in the hold.

Ada
"""


def sample(folder: Path) -> None:
    """Make a corpus of this repository's documentation, some code, a mail, a table and a PDF."""
    folder.mkdir()
    for path in (ROOT / "docs").glob("*.md"):
        shutil.copyfile(path, folder / path.name)
    shutil.copytree(ROOT / "biblicus" / "connectors" / "web", folder / "code", ignore=lambda _, names: _not_code(names))
    (folder / "dinner.eml").write_text(_MAIL, "utf-8")
    (folder / "crew.csv").write_text("name,trade\nAda,pilot\nBen,cook\n", "utf-8")
    (folder / "log.pdf").write_bytes(pdf("Nothing happened.", "The pilot saw the moon."))
    (folder / "broken.pdf").write_bytes(b"no PDF")
    with Corpus.init(folder) as corpus:
        corpus.reindex()


def _not_code(names: list[str]) -> list[str]:
    return [name for name in names if "." not in name or not name.endswith(".py")]


def take(page: Any, address: str, path: Path) -> None:
    """Write the pictures of one address at one width."""
    page.goto(address.removesuffix("+j"))
    if address.endswith("+j"):
        page.keyboard.press("Tab")
        page.keyboard.press("j")
        page.wait_for_selector("#beside h1")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(200)
        page.screenshot(path=path.with_name(f"{path.name}-{scheme}.png"))


def main(folder: str = "pictures", corpus: str = "", *addresses: str) -> int:
    """Write the pictures. Return the exit code."""
    from playwright.sync_api import sync_playwright  # of the tests alone

    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        print("chromium is missing: make .venv/.browser", file=sys.stderr)
        return 6
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    views: Mapping[str, str] = {f"view-{number}": each for number, each in enumerate(addresses, 1)} or VIEWS
    with tempfile.TemporaryDirectory() as place:
        if not corpus:
            sample(Path(place) / "ship")
        shown = corpus or str(Path(place) / "ship")
        with page_of(shown, tokens=no_tokens(Path(place))) as (home, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for name, address in views.items():
                for width in WIDTHS:
                    page = browser.new_page(viewport={"width": width, "height": 900})
                    take(page, home + address, out / f"{name}-{width}")
                    page.close()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
