"""`tactus eval keeper.tac` with the MCP servers of .tactus/config.yml: the command of 0.53.4 connects none."""

import sys
from typing import Any

import tactus.core.runtime
from ask import HERE, servers
from tactus.cli.app import main


class Connected(tactus.core.runtime.TactusRuntime):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given, mcp_servers=servers())


tactus.core.runtime.TactusRuntime = Connected
sys.argv = ["tactus", "eval", str(HERE / "keeper.tac"), *sys.argv[1:]]
main()
