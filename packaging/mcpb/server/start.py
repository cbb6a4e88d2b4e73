"""Start the MCP server where `uvx` is not used: needs `pip install "biblicus-corpus[mcp]"`."""

from biblicus.__main__ import program

program()
