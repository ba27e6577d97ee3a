"""Messages as lines on standard input and output. Nothing else can reach standard output, and the server ends with its client."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

from trigpoint.render.style import escaped_json
from trigpoint.surfaces.mcp.desk import Desk
from trigpoint.surfaces.mcp.protocol import Conversation

LAST_ANSWERS_SECONDS = 5.0
"""How long calls on their way may take after the client has closed its end."""
PARENT_SECONDS = 1.0
"""How often the parent is looked for."""


class Line:
    """The two ends of the client's pipe, taken away from whoever prints: standard output now leads to standard error."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._input = os.fdopen(os.dup(0), "rb")
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        for kept in (self._input.fileno(), self._output):
            os.set_inheritable(kept, False)
        self._lock = threading.Lock()

    def __iter__(self) -> Any:
        return iter(self._input.readline, b"")

    def send(self, message: dict[str, Any]) -> None:
        """One message on one line; a client that is gone ends the server."""
        line = escaped_json(json.dumps(message, ensure_ascii=False, separators=(",", ":"))).encode() + b"\n"
        try:
            with self._lock:
                while line:
                    line = line[os.write(self._output, line) :]
        except OSError:
            os._exit(0)


def serve(desk: Desk) -> None:
    """Answer until the client closes its end or is gone."""
    line = Line()
    threading.Thread(target=_end_with_parent, args=(desk, os.getppid()), daemon=True).start()
    conversation = Conversation(desk, line.send)
    for raw in line:
        if not raw.strip():
            continue
        try:
            message = json.loads(raw)
        except (ValueError, RecursionError):
            conversation.unreadable()
            continue
        conversation.receive(message)
    ends = time.monotonic() + LAST_ANSWERS_SECONDS
    while conversation.waiting and time.monotonic() < ends:
        time.sleep(0.02)
    desk.close()


def _end_with_parent(desk: Desk, parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    desk.projects.close()
    os._exit(0)
