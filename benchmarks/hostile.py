"""Whether documents that hang, bomb or break cost anything once they were met: a line is ingested beside them."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import time
import zipfile
import zlib
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.service.verbs import RECEIVE

_FILES = 1_000
_SECONDS = "2"
_LINES = 10
_MANY = "many.zip"
"""Left out here: its members are items, ten times those of the folder without, and what these cost is growth."""
_HANGS = 6_000_000
"""Words that a page shows: many times what can be read in `_SECONDS`, from a file of 400 kB."""


def measure(bench: Workbench) -> list[Figure]:
    """One row `hostile`: a line ingested and indexed, in a corpus with hostile files against one without."""
    hostile = {name: data for name, data in hostile_files().items() if name != _MANY}
    before = os.environ.get("BIBLICUS_EXTRACTION_SECONDS")
    os.environ["BIBLICUS_EXTRACTION_SECONDS"] = _SECONDS
    try:
        folders = [_folder(bench, "calm", {}), _folder(bench, "hostile", hostile)]
        with Corpus.open(folders[0]) as calm, Corpus.open(folders[1]) as rough:
            took = [(_seconds(calm, number), _seconds(rough, number)) for number in range(_LINES * bench.runs // 5)]
    finally:
        os.environ.pop("BIBLICUS_EXTRACTION_SECONDS")
        if before is not None:
            os.environ["BIBLICUS_EXTRACTION_SECONDS"] = before
    without, beside = (median(times) for times in zip(*took, strict=True))
    detail = f"{beside:.2f} s with {len(hostile)} hostile files that failed, {without:.2f} s without"
    ratio = median(with_them / alone for alone, with_them in took)
    return [Figure("hostile", "a line ingested beside hanging and hostile files", "×", ratio, 1.3, detail=detail)]


def hostile_files() -> dict[str, bytes]:
    """Names and bytes: eight PDFs that take too long, four that unpack to too much, four that are broken; archives that
    unpack to too much, hold too many members or themselves again, lead out of the folder, or end too early."""
    hanging = {f"hangs-{n}.pdf": _pdf(b"BT " + b"1 0 0 1 9 9 Tm (hang) Tj " * (_HANGS + n) + b"ET") for n in range(8)}
    bombs = {f"bomb-{n}.pdf": _pdf(b" " * ((1 << 30) + n)) for n in range(4)}
    broken = {f"broken-{n}.pdf": b"%%PDF-1.7\n%d 0 obj << /Broken" % n for n in range(4)}
    return {**hanging, **bombs, **broken, **hostile_archives()}


def hostile_archives() -> dict[str, bytes]:
    """Names and bytes of archives whose members cost no more than themselves."""
    nested = _zip([("bomb.bin", bytes(64 << 20))])
    for _ in range(6):
        nested = _zip([(f"{n}.zip", nested) for n in range(4)])
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        for name, kind in (("link", tarfile.SYMTYPE), ("pipe", tarfile.FIFOTYPE), ("../out.txt", tarfile.REGTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    return {
        "bomb.zip": _zip([("bomb.txt", bytes(256 << 20))]),
        "bomb.tar.gz": zlib.compress(bytes(256 << 20), wbits=31),
        "nested.zip": nested,
        _MANY: _zip([(f"{n}.txt", b"") for n in range(20_000)]),
        "out.zip": _zip([(name, b"moon") for name in ("../a.txt", "/etc/b.txt", "C:/c.txt", "a/../../d.txt")]),
        "out.tar.gz": tarred.getvalue(),
        "short.zip": _zip([("a.txt", b"moon")])[:40],
        "short.tar.gz": tarred.getvalue()[:60],
    }


def _zip(members: list[tuple[str, bytes]]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _pdf(content: bytes) -> bytes:
    """A page with this content, packed."""
    packed = zlib.compress(content)
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed),
    )
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % entry for entry in enumerate(objects, 1))
    return b"%%PDF-1.4\n%btrailer << /Root 1 0 R /Size 5 >>\n%%%%EOF\n" % body


def _folder(bench: Workbench, name: str, more: dict[str, bytes]) -> Path:
    """A corpus of so many documents and these, indexed. Raises where one of these gave a text after all."""
    folder = bench.place / f"hostile-{name}"
    documents = sorted(path for path in bench.documents.rglob("*") if path.is_file())[: _FILES - len(more)]
    for path in documents:
        target = folder / path.relative_to(bench.documents)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for file, data in more.items():
        (folder / file).write_bytes(data)
    with Corpus.init(folder) as corpus:
        (run,) = corpus.reindex().runs
    noted = {note.path for note in (*run.manifest.failed, *run.manifest.skipped)}
    if not noted >= more.keys():
        raise RuntimeError(f"these gave a text: {sorted(more.keys() - noted)}")
    return folder


def _seconds(corpus: Corpus, number: int) -> float:
    """Until a line of its own can be found."""
    request = ReceiveRequest(text=f"Entry {number} of the log: wind from the west.")
    began = time.perf_counter()
    corpus._asker.ask(RECEIVE, request, Call())
    return time.perf_counter() - began
