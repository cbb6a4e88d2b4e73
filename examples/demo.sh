#!/usr/bin/env bash
# Three questions to a small harbour. Needs `biblicus` on the PATH; `make demo` sees to that.
# Everything happens in a temporary copy, the key that seals indexes included; nothing stays behind.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp -R "$here/harbour" "$work/harbour"
cd "$work/harbour"
export BIBLICUS_STATE_HOME="$work/state"

bold="" plain=""
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { say "\$ biblicus $(printf '%q ' "$@")"; biblicus "$@"; }
ask() { say "\$ biblicus query \"$1\" -n 2"; biblicus query "$1" -n 2; }

say "A folder of notes, minutes, a web page, a berth list, some code and a PDF becomes a corpus."
show init
show ingest
show reindex

say "Three questions. Each answer says where it stands, to the line or the page."
ask "How long may a visiting boat stay in winter?"
ask "Was kostet eine Duschmarke?"
ask "Who rebuilds the parapet of the north mole?"

say "Evidence can be proved later, against the files as they are then."
say "\$ biblicus query \"spill kit\" --json > evidence.json && biblicus verify evidence.json"
biblicus query "spill kit" --json > "$work/evidence.json"
biblicus verify "$work/evidence.json"

say "A persona answers by its manual: notes on how to look things up. The answer cites the harbour's own papers."
cp -R "$here/persona/manual" "$work/manual"
mkdir -p .biblicus/personas
cp "$here/persona/keeper.yml" .biblicus/personas/
biblicus init ../manual > "$work/log"
biblicus reindex -C ../manual >> "$work/log"
show answer "Who rebuilds the parapet between April and June?" --persona keeper
