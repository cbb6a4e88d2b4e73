"""Logs for programs: one line of JSON for each entry."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from biblicus import telemetry


class JsonLines(logging.Formatter):
    """Formats a log entry as a JSON object: `time, level, logger, message`, and `trace_id` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, even for a message with newlines."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry: dict[str, Any] = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (trace := telemetry.trace_id()) is not None:
            entry["trace_id"] = trace
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)
