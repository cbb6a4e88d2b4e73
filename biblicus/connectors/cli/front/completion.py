"""Shell completion: commands and options from a table written by `make docs`, names from the corpus.

A shell calls it at every key press, so neither the parser nor a validator is loaded: the catalog's lines are searched
as bytes. A candidate is printed as a word, never as code; unprintable ones are skipped. If nothing is printed, the
shell completes file names."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

TABLE = "completions.json"
_CORPUS = ("-C", "--corpus")
_ITEM = re.compile(rb'^\{"item_id":"([^"\\]*)","path":"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_TAGS = re.compile(rb'"tags":(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\]),"source":')


def answer(words: Sequence[str]) -> int:
    """Print the candidates and return the exit code.

    `words`: the shell's name, then the words of the line, the last one unfinished; for bash the line and its last
    word."""
    shell, *line = words or ("",)
    cut = ""
    if shell == "bash":
        line, part = _words(line[0] if line else ""), line[1] if len(line) > 1 else ""
        cut = _cut(line[-1], part)
    for candidate in candidates(line[1:] or [""]):
        if candidate.isprintable():
            sys.stdout.write(f"{candidate.removeprefix(cut)}\n")
    return 0


def _cut(word: str, part: str) -> str:
    """Return the part of a word that bash treats as earlier words: it splits unquoted words at `=` and `:`."""
    if part and word.endswith(part):
        return word[: -len(part)]
    return "" if part[:1] in ("'", '"') else word[: max(word.rfind("="), word.rfind(":")) + 1]


def candidates(line: Sequence[str]) -> list[str]:
    """Return completions of the last word; the line comes without `biblicus`."""
    *before, current = line
    with open(os.path.join(os.path.dirname(__file__), TABLE), encoding="utf-8") as stream:
        table: dict[str, Any] = json.load(stream)
    corpus = None
    for number, word in enumerate(before):
        if word in _CORPUS:
            corpus = before[number + 1] if number + 1 < len(before) else None
    if before and before[-1] in _CORPUS:
        return []
    if before[:1] and before[0] in _CORPUS:
        before = before[2:]
    commands: dict[str, Any] = table["commands"]
    name = next((name for name in (" ".join(before[:2]), *before[:1]) if name in commands), None)
    if name is None:
        options = table["options"] if not before and current.startswith("-") else []
        return _begun([*_next(commands, before), *options], current)
    return _of_command(commands[name], before[name.count(" ") + 1 :], current, _Names(corpus, table["recipes"]))


def _next(commands: Mapping[str, Any], before: Sequence[str]) -> list[str]:
    """Return the possible next words of commands."""
    start = " ".join([*before, ""])
    return list(dict.fromkeys(name[len(start) :].split()[0] for name in commands if name.startswith(start)))


def _of_command(command: Mapping[str, Any], before: Sequence[str], current: str, names: _Names) -> list[str]:
    options: Mapping[str, Any] = command["options"]
    arguments: Sequence[Any] = command["arguments"]
    argument_count, waiting = 0, None
    for word in before:
        if waiting is not None:
            waiting = None
        elif options.get(word) is not None:
            waiting = word
        elif word not in options and not word.startswith("--"):
            argument_count += 1
    if waiting is not None:
        return names.begun(options[waiting], current)
    flag, equals, value = current.partition("=")
    if equals and options.get(flag) is not None:
        return [f"{flag}={name}" for name in names.begun(options[flag], value)]
    kind = arguments[min(argument_count, len(arguments) - 1)] if arguments else ""
    if current.startswith("-") and kind != "change":
        return _begun(list(options), current)
    return names.begun(kind, current)


def _begun(words: Sequence[str], start: str) -> list[str]:
    return [word for word in words if word.startswith(start)]


class _Names:
    """Names in a corpus, by kind."""

    def __init__(self, corpus: str | None, recipes: Sequence[str]) -> None:
        self._corpus, self._recipes = corpus, recipes

    def begun(self, kind: Any, start: str) -> list[str]:
        """Return the names of a kind with this prefix; a kind may also be a list of names."""
        if isinstance(kind, list):
            return _begun(kind, start)
        if kind == "item":
            return self._items(start)
        if kind == "change":
            sign = start[:1]
            return [f"{sign}{tag}" for tag in self._tags() if tag.startswith(start[1:])] if sign in ("+", "-") else []
        named: Mapping[str, Callable[[], Sequence[str]]] = {
            "tag": self._tags,
            "recipe": lambda: [*self._recipes, *self._files("recipes", ".yml")],
            "run": lambda: [*self._files("runs", ".json")[::-1], *self._recipes],
            "persona": lambda: self._files("personas", ".yml"),
            "dataset": lambda: self._files("datasets", ""),
        }
        return _begun(list(dict.fromkeys(named[kind]())), start) if kind in named else []

    def _home(self) -> str | None:
        """Return the folder `.biblicus` of the corpus, or None."""
        folder = self._corpus or "."
        if "://" in folder:
            from biblicus.errors import BiblicusError
            from biblicus.service.places import folder_of

            try:
                folder = str(folder_of(folder))
            except BiblicusError:
                return None
        folder = os.path.abspath(os.path.expanduser(folder))
        while not os.path.isfile(os.path.join(folder, ".biblicus", "catalog.json")):
            if folder == os.path.dirname(folder):
                return None
            folder = os.path.dirname(folder)
        return os.path.join(folder, ".biblicus")

    def _catalog(self) -> bytes:
        home = self._home()
        if home is None:
            return b""
        with open(os.path.join(home, "catalog.json"), "rb") as stream:
            return stream.read()

    def _items(self, start: str) -> list[str]:
        """Return paths up to the next folder; ids if no path has this prefix."""
        paths: dict[bytes, None] = {}
        ids: list[str] = []
        prefix = start.encode("utf-8", "surrogateescape")
        for item_id, path in _ITEM.findall(self._catalog()):
            if b"\\" in path:
                path = json.loads(b'"%b"' % path).encode()
            if path.startswith(prefix):
                rest = path.find(b"/", len(prefix))
                paths[path if rest < 0 else path[: rest + 1]] = None
            elif prefix and item_id.startswith(prefix):
                ids.append(item_id.decode())
        return [path.decode("utf-8", "replace") for path in paths] or ids

    def _tags(self) -> list[str]:
        return sorted({tag for tags in _TAGS.findall(self._catalog()) for tag in json.loads(tags)})

    def _files(self, folder: str, suffix: str) -> list[str]:
        home = self._home()
        try:
            names = sorted(os.listdir(os.path.join(home, folder))) if home else []
        except OSError:
            return []
        return [name.removesuffix(suffix) for name in names if name.endswith(suffix) and not name.startswith(".")]


def _words(line: str) -> list[str]:
    """Split a line into words; the last one may have an unclosed quotation mark."""
    for end in ("", "'", '"'):
        try:
            words = shlex.split(line + end)
        except ValueError:
            continue
        return [*words, ""] if not words or (not end and line[-1:].isspace()) else words
    return [""]


# --- installation
# ------------------------------------------------------------------------------------------------------

SCRIPTS: Mapping[str, str] = {
    "bash": r"""# completion of biblicus
_biblicus() {
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
    done < <("$1" --complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    compopt -o filenames 2>/dev/null
    case ${COMPREPLY[0]-} in */) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _biblicus biblicus biblicus-corpus
""",
    "zsh": r"""#compdef biblicus biblicus-corpus
# completion of biblicus
_biblicus() {
    local -a found
    found=("${(@f)$("${words[1]}" --complete zsh "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
    found=("${(@)found:#}")
    if (( ! ${#found} )); then
        _files
        return
    fi
    compadd -S '' -- "${(@M)found:#*/}"
    compadd -- "${(@)found:#*/}"
}
if [ "${funcstack[1]}" = "_biblicus" ]; then
    _biblicus "$@"
else
    compdef _biblicus biblicus biblicus-corpus
fi
""",
    "fish": r"""# completion of biblicus
function __biblicus_candidates
    set -l words (commandline -opc)
    $words[1] --complete fish $words (commandline -ct) 2>/dev/null
end
for name in biblicus biblicus-corpus
    complete -c $name -n 'count (__biblicus_candidates) >/dev/null' -f -a '(__biblicus_candidates)'
end
""",
}


def shell_of(named: str | None) -> str:
    """Return the named shell, or the user's own. Raises `UsageError`."""
    from biblicus.errors import UsageError

    shell = named or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in SCRIPTS:
        shells = ", ".join(SCRIPTS)
        problem = f"There is no completion for {shell}; known: {shells}." if shell else "Which shell is not known."
        raise UsageError(problem, "biblicus --show-completion bash")
    return shell


def show(named: str | None) -> None:
    """Print the script of a shell."""
    sys.stdout.write(SCRIPTS[shell_of(named)])


def install(named: str | None) -> Iterator[str]:
    """Install the script where the shell looks for it; yield messages. Start-up files are never edited.

    Raises `UsageError` if another file is in its place."""
    from pathlib import Path

    from biblicus.disk import files
    from biblicus.errors import UsageError

    shell = shell_of(named)
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    place = {
        "bash": data / "bash-completion" / "completions" / "biblicus",
        "zsh": home / ".zfunc" / "_biblicus",
        "fish": config / "fish" / "completions" / "biblicus.fish",
    }[shell]
    if os.path.lexists(place) and b"# completion of biblicus" not in files.read(place, limit=files.SMALL):
        raise UsageError(f"{place} is there, and is not ours.", f"biblicus --show-completion {shell}")
    files.make_folder(place.parent)
    files.write(place, SCRIPTS[shell].encode())
    yield f"{place} is written."
    yield {
        "bash": "New shells have it where bash-completion is installed; elsewhere add this to ~/.bashrc: "
        'eval "$(biblicus --show-completion bash)"',
        "zsh": "New shells have it once this stands in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit; compinit",
        "fish": "New shells have it.",
    }[shell]
