#!/bin/sh
# Everything in the sandbox: the agent, the model's stand-in, Biblicus and the corpus. The sandbox is a network namespace
# with loopback and nothing else. With Docker, the same is an image that holds all of it, run with `--network none`.
set -eu
cd "$(dirname "$0")/.."
exec unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' inside \
    "$TACTUS_PYTHON" model.py "$TACTUS_PYTHON" times.py "$@"
