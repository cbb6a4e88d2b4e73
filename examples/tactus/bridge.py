"""An MCP server for Tactus, which starts servers and calls no address: hands everything to a service's `/mcp`.

BIBLICUS_SERVICE is the address, BIBLICUS_TOKEN the token. For Tactus's environment, which has the `mcp` that this uses.
"""

import asyncio
import os
from typing import Any

from mcp import ClientSession, types
from mcp.client.streamable_http import streamablehttp_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def main() -> None:
    address = f"{os.environ['BIBLICUS_SERVICE']}/mcp"
    headers = {"Authorization": f"Bearer {os.environ['BIBLICUS_TOKEN']}"}
    async with (
        streamablehttp_client(address, headers=headers) as (reading, writing, _),
        ClientSession(reading, writing) as service,
        stdio_server() as (incoming, outgoing),
    ):
        await service.initialize()
        here: Server = Server("bridge")

        @here.list_tools()
        async def list_tools() -> list[types.Tool]:
            return (await service.list_tools()).tools

        @here.call_tool(validate_input=False)
        async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
            result = await service.call_tool(name, arguments)
            return result.content, result.structuredContent

        await here.run(incoming, outgoing, here.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
