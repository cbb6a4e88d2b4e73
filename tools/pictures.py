"""Take pictures of the page with the browser of the tests: each view narrow, medium and wide, light and dark.

`python -m tools.pictures CORPUS FOLDER [ADDRESS ...]`: serves the corpus, and writes `NAME-WIDTH-SCHEME.png`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.visitor import no_tokens, page_of

WIDTHS = (390, 768, 1440)
VIEWS = {"home": "/", "answer": "/?q=How+is+an+item+renamed%3F", "corpus": "/corpus"}


def main(corpus: str, folder: str, *addresses: str) -> int:
    """Write the pictures. Return the exit code."""
    from playwright.sync_api import sync_playwright  # of the tests alone

    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        print("chromium is missing: make .venv/.browser", file=sys.stderr)
        return 6
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    views = {f"view-{number}": address for number, address in enumerate(addresses, 1)} or VIEWS
    with (
        tempfile.TemporaryDirectory() as empty,
        page_of(corpus, tokens=no_tokens(Path(empty))) as (home, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, address in views.items():
            for width in WIDTHS:
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.goto(home + address.removesuffix("+j"))
                if address.endswith("+j"):  # the first result beside the list
                    page.keyboard.press("Tab")
                    page.keyboard.press("j")
                    page.wait_for_selector("#beside h1")
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    page.wait_for_timeout(200)
                    page.screenshot(path=out / f"{name}-{width}-{scheme}.png")
                page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
