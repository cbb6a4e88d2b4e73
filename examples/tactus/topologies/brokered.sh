#!/bin/sh
# Only the broker outside: the agent has no network at all, not even loopback, and no key. One Unix socket leads to Tactus's
# broker, which asks the model and starts Biblicus.
set -eu
cd "$(dirname "$0")/.."
socket=$(mktemp -u /tmp/keeper-XXXXXX)
exec "$TACTUS_PYTHON" model.py "$TACTUS_PYTHON" broker.py "$socket" \
    unshare --map-root-user --net "$TACTUS_PYTHON" times.py "$@"
