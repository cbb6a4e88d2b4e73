"""Runs keeper.tac for one question as `biblicus eval --command` asks for it: JSON on standard input and output.

For Tactus's own environment; BIBLICUS and HARBOUR are what .tactus/config.yml needs. Behind a broker
(TACTUS_BROKER_SOCKET) Tactus starts nothing itself.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def servers() -> dict:
    """The MCP servers: those of the configuration, or the broker's of the same names."""
    from tactus.core.config_manager import ConfigManager

    configured = ConfigManager().load_cascade(HERE / "keeper.tac")["mcp_servers"]
    return {name: {"broker": True} for name in configured} if "TACTUS_BROKER_SOCKET" in os.environ else configured


async def keeper(question: str, recipe: str | None) -> dict:
    """What the procedure gives."""
    from tactus.adapters.broker_log import BrokerLogHandler
    from tactus.adapters.memory import MemoryStorage
    from tactus.core.runtime import TactusRuntime

    runtime = TactusRuntime(
        log_handler=BrokerLogHandler.from_environment(),  # behind a broker, Tactus asks a model only as a stream
        procedure_id="keeper",
        storage_backend=MemoryStorage(),
        mcp_servers=servers(),
        openai_api_key=os.environ.get("OPENAI_API_KEY"),
        source_file_path=str(HERE / "keeper.tac"),
    )
    source = (HERE / "keeper.tac").read_text("utf-8")
    ran = await runtime.execute(source, {"question": question, "recipe": recipe or "lexical"}, format="lua")
    if not ran["success"]:
        raise SystemExit(str(ran.get("error")))
    value = ran["result"]
    return getattr(value, "output", value)


def main() -> None:
    told = json.load(sys.stdin)
    logging.disable(logging.WARNING)
    with contextlib.redirect_stdout(sys.stderr):  # what frameworks print is no reply
        said = asyncio.run(keeper(told["question"], told["recipe"]))
    json.dump({"answer": said["answer"], "citations": list(said.get("refs") or [])}, sys.stdout)


if __name__ == "__main__":
    main()
