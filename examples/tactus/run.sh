#!/bin/sh
# Everything that this example shows, offline, one part after the other; leaves with 1 where a part fails. A topology that
# needs a network namespace of its own is skipped where the system gives none, and says so.
# TACTUS_PYTHON: Python of Tactus's environment (requirements.txt). BIBLICUS: the command in ours. Both absolute.
set -eu
cd "$(dirname "$0")"
: "${TACTUS_PYTHON:?the Python of the environment of Tactus}" "${BIBLICUS:?the absolute path of biblicus}"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -r ../harbour "$place/harbour"
export TACTUS_PYTHON BIBLICUS HARBOUR="$place/harbour" COLUMNS="${COLUMNS:-120}"
"$BIBLICUS" init "$HARBOUR" > /dev/null
"$BIBLICUS" reindex -C "$HARBOUR" --recipe lexical --recipe scan > /dev/null

part() {
    printf '\n== %s\n' "$1"
    shift
    "$@"
}
part "Its own specification, with mocks" "$(dirname "$TACTUS_PYTHON")/tactus" test keeper.tac --mock
part "Its own evaluation, over two recipes" "$TACTUS_PYTHON" model.py "$TACTUS_PYTHON" eval.py
part "Ours: what it must do, beside the rankings" "$TACTUS_PYTHON" model.py "$BIBLICUS" eval questions.jsonl \
    -C "$HARBOUR" --recipe lexical --recipe scan --command "$TACTUS_PYTHON ask.py" \
    --fail-if "holds < 1" --fail-if "failures > 0" --fail-if "violations_high > 0"
for topology in inside brokered remote; do
    if test "$topology" = remote || unshare --map-root-user --net true 2> "$place/why"; then
        part "The topology $topology" topologies/$topology.sh 3
    else
        part "The topology $topology: skipped" cat "$place/why"
    fi
done
