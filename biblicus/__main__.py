"""Entry point of `biblicus` and `python -m biblicus`."""

import atexit
import gc
import os
import sys
import threading

from biblicus.disk.system import fill_streams


def program() -> None:
    """Run `main` in a dedicated process, which exits without tearing down modules: that takes a sixth of a cold
    query."""
    _use_utf8()
    fill_streams()
    try:
        main()
    except SystemExit as leaving:
        if not isinstance(leaving.code, int) or threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(leaving.code)


def _use_utf8() -> None:
    """Restart in Python's UTF-8 mode if the locale has another encoding, which cannot represent all file names.
    Child processes inherit the mode."""
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def main() -> None:
    """Run the command line and exit with its code."""
    # Disable pydantic plugins of other packages: looking for them reads the metadata of every package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Threads of numpy's linear algebra spin over products of a millisecond: 0.3 s of a cold query, and seconds of a
    # warm one on a busy machine. When embedding many texts, Biblicus uses the cores itself.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(_run(sys.argv[1:]))


def _run(words: list[str]) -> int:
    gc.disable()  # objects of a query are freed soon or stay: garbage collection is a tenth of a cold query
    try:
        from biblicus.connectors.cli.front import short_way

        code = short_way.ask(words)
    finally:
        gc.enable()
    if code is None:
        from biblicus.connectors.cli.front.app import run  # lazy: a warm query does not need its parser

        code = run(words)
    return code


if __name__ == "__main__":
    program()
