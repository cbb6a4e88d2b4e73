"""Tactus's broker outside the sandbox: `broker.py SOCKET COMMAND…` runs a command that reaches the model and the corpus
by that socket alone. It holds the model's key; what starts Biblicus stands in .tactus/config.yml.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from ask import servers
from tactus.broker.server import BrokerServer

Write = Callable[[dict[str, Any]], Awaitable[None]]


class Broker(BrokerServer):
    """With calls of MCP's tools over a Unix socket, where 0.53.4 hands its own methods a function for a stream."""

    async def _handle_mcp_list_tools_asyncio(self, request: str, told: dict[str, Any], write: Write) -> None:
        await self._told(request, write, "tools", self._mcp_manager.list_tools(told["server"]))

    async def _handle_mcp_call_tool_asyncio(self, request: str, told: dict[str, Any], write: Write) -> None:
        call = self._mcp_manager.call_tool(told["server"], told["name"], told.get("args") or {})
        await self._told(request, write, "result", call)

    async def _told(self, request: str, write: Write, key: str, asked: Awaitable[Any]) -> None:
        try:
            await write({"id": request, "event": "done", "data": {key: await asked}})
        except Exception as error:
            problem = {"type": type(error).__name__, "message": str(error)}
            await write({"id": request, "event": "error", "error": problem})


async def main(socket: str, command: list[str]) -> int:
    inside = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    configured = servers()
    async with Broker(Path(socket), broker_mcp_servers=configured):
        process = await asyncio.create_subprocess_exec(*command, env={**inside, "TACTUS_BROKER_SOCKET": socket})
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], sys.argv[2:])))
