#!/bin/sh
# The service elsewhere: `biblicus serve` holds the corpus and asks for a token; the agent's side has a bridge to it, since
# Tactus starts MCP servers and calls none. Here both are on loopback.
set -eu
cd "$(dirname "$0")/.."
place=$(mktemp -d)
service=
trap 'test -z "$service" || kill "$service"; rm -rf "$place"' EXIT
BIBLICUS_TOKEN=$("$BIBLICUS" token new --scope read --name keeper --token-file "$place/tokens.json" 2> "$place/said")
"$BIBLICUS" serve "harbour=$HARBOUR" --port 0 --token-file "$place/tokens.json" > "$place/said" 2>&1 &
service=$!
until BIBLICUS_SERVICE=$(grep -o -m 1 'http://127.0.0.1:[0-9]*' "$place/said"); do
    kill -0 "$service" || { cat "$place/said"; exit 1; }
    sleep 0.1
done
mkdir "$place/.tactus"
cat > "$place/.tactus/config.yml" <<END
mcp_servers:
  harbour:
    command: "$TACTUS_PYTHON"
    args: ["$PWD/bridge.py"]
    env: {BIBLICUS_SERVICE: "$BIBLICUS_SERVICE", BIBLICUS_TOKEN: "$BIBLICUS_TOKEN"}
    timeout: 30
END
cp keeper.tac ask.py model.py times.py "$place"
cd "$place"  # Tactus merges the configuration of the folder where one stands
"$TACTUS_PYTHON" model.py "$TACTUS_PYTHON" times.py "$@"
