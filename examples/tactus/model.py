"""A stand-in for a language model, so that all of this runs offline: `model.py COMMAND…` runs a command beside it.

It speaks OpenAI's protocol on loopback and does what a good agent would: it looks the question up, then replies with
the passage that shares most words with it, and the ref of that.
"""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SEARCH, REPLY = "knowledge_base_query", "reply"


def turn(messages: list[dict], tools: list[str]) -> dict:
    """The next message: a tool that is called, or a last word."""
    results = {}
    for message in messages:
        for call in message.get("tool_calls") or []:
            results[call["id"]] = call["function"]["name"]
    found = [message for message in messages if message["role"] == "tool"]
    search = next((name for name in tools if name.endswith(SEARCH)), None)
    asked = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    question, _, recipe = asked.partition("\nRecipe: ")
    if not found and search:
        return called(search, {"query": question, "recipe": recipe.strip() or "lexical", "limit": 3})
    if REPLY not in results.values():
        return called(REPLY, answered(question, found[-1]["content"] if found else "{}"))
    return {"role": "assistant", "content": "Done."}


def called(name: str, arguments: dict) -> dict:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call-{name}", "type": "function", "function": function}],
    }


def answered(question: str, result: str) -> dict:
    """The best snippet with its ref; nothing where the evidence says that it is insufficient."""
    looked_up = json.loads(result)
    words = set(re.findall(r"\w+", question.lower()))
    pieces = [] if looked_up.get("insufficient") else looked_up.get("evidence", [])
    best = max(pieces, key=lambda piece: len(words & set(re.findall(r"\w+", piece["snippet"].lower()))), default=None)
    return {"answer": best["snippet"], "refs": [best["ref"]]} if best else {"answer": "", "refs": []}


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        tools = [tool["function"]["name"] for tool in body.get("tools") or []]
        message = turn(body["messages"], tools)
        end = "tool_calls" if message.get("tool_calls") else "stop"
        if body.get("stream"):
            calls = [{**call, "index": at} for at, call in enumerate(message.get("tool_calls") or [])]
            first = {"delta": {**message, "tool_calls": calls or None}, "index": 0, "finish_reason": None}
            parts = [first, {"delta": {}, "index": 0, "finish_reason": end}]
            lines = [json.dumps(self.document("chat.completion.chunk", part)) for part in parts]
            self.answer("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))
        else:
            choice = {"index": 0, "message": message, "finish_reason": end}
            usage = {"prompt_tokens": 400, "completion_tokens": 40, "total_tokens": 440}
            document = {**self.document("chat.completion", choice), "usage": usage}
            self.answer("application/json", json.dumps(document))

    def document(self, kind: str, choice: dict) -> dict:
        return {"id": "stand-in", "object": kind, "created": 0, "model": "harbour-keeper", "choices": [choice]}

    def answer(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *parts: object) -> None:
        """Says nothing."""


def main(command: list[str]) -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    theirs = {"OPENAI_API_BASE": address, "OPENAI_BASE_URL": address, "OPENAI_API_KEY": "none"}
    return subprocess.run(command, env={**os.environ, **theirs, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
