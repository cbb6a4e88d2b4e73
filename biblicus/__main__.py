"""`biblicus` and `python -m biblicus`."""

import atexit
import gc
import os
import sys
import threading


def program() -> None:
    """`main`, in a process that is nothing else. It is left as soon as what waits for its end is done: to take apart
    what was imported, class after class, is a sixth of a cold question."""
    _refuse_windows()
    _use_utf8()
    _fill_streams()
    try:
        main()
    except SystemExit as leaving:
        if not isinstance(leaving.code, int) or threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(leaving.code)


def _refuse_windows() -> None:
    """End with one line where the system has no locks of the kind that writers take."""
    try:
        import fcntl  # noqa: F401 - whatever is done needs it soon
    except ImportError:
        sys.stderr.write("Error: Windows is not supported yet; WSL works. Try: wsl --install\n")
        sys.exit(6)


def _use_utf8() -> None:
    """Start again in Python's UTF-8 mode where the locale has another encoding: it cannot name all files of a corpus,
    nor read all questions. Processes started later inherit the mode."""
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _fill_streams() -> None:
    """What a shell closed (`>&-`) leads nowhere: no file of ours may take its number, nor `sys.stdout` be `None`."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115 - it stays open


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Other packages' pydantic plugins have no part in our validation; looking for them reads every package's metadata.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # The threads of numpy's linear algebra spin over products of a millisecond: 0.3 s of a cold question, and where
    # other work wants the cores, seconds of a warm one. Where many texts are embedded, we use the cores ourselves.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(_run(sys.argv[1:]))


def _run(words: list[str]) -> int:
    if words[:1] == ["--complete"]:
        from biblicus.connectors.cli.front import completion  # lazy, as all of this: a shell waits for it at each key

        return completion.answer(words[1:])
    gc.disable()  # what a question makes is soon freed, or stays: looking for garbage in it is a tenth of a cold one
    try:
        from biblicus.connectors.cli.front import short_way

        code = short_way.ask(words)
    finally:
        gc.enable()
    if code is None:
        from biblicus.connectors.cli.front.app import run  # lazy: its parser costs what a warm question need not pay

        code = run(words)
    return code


if __name__ == "__main__":
    program()
