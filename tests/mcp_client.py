"""Playing an MCP client: the official SDK's over stdio, and bare lines where a test has to see every byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[1] / "src"


def environment(cache: Path) -> dict[str, str]:
    """What a server needs of the environment, and nothing else."""
    return {
        "PYTHONPATH": str(SOURCE),
        "TRIGPOINT_CACHE_DIR": str(cache),
        "TRIGPOINT_WORKERS": "1",
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(cache),
    }


def command(*words: str) -> list[str]:
    """The command line of a server."""
    return [sys.executable, "-m", "trigpoint", "mcp", *words]


@asynccontextmanager
async def connected(cwd: Path, cache: Path, *words: str, **options: Any) -> AsyncIterator[Any]:
    """The SDK's client in a session with a server in this folder."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    line = command(*words)
    server = StdioServerParameters(command=line[0], args=line[1:], env=environment(cache), cwd=cwd)
    async with Client(stdio_client(server), **options) as client:
        yield client


class Wire:
    """A server on bare pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[Mapping[str, Any]] = []
        self._last = 0

    def post(self, message: object) -> None:
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def next(self) -> Mapping[str, Any]:
        """The next message; every line is one."""
        assert self.process.stdout is not None
        found: Mapping[str, Any] = json.loads(self.process.stdout.readline())
        assert found["jsonrpc"] == "2.0"
        self.lines.append(found)
        return found

    def ask(self, method: str, **params: Any) -> Mapping[str, Any]:
        """The answer to one request; what comes before it is kept in ``lines``."""
        self._last += 1
        self.post({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self.answer(self._last)

    def answer(self, identifier: int | str) -> Mapping[str, Any]:
        while True:
            found = self.next()
            if found.get("id") == identifier and "method" not in found:
                return found

    def note(self, method: str, **params: Any) -> None:
        self.post({"jsonrpc": "2.0", "method": method, "params": params})

    def shake_hands(self, **capabilities: Any) -> Mapping[str, Any]:
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "clientInfo": {"name": "t", "version": "1"},
        }
        found = self.ask("initialize", **hello)
        self.note("notifications/initialized")
        return found["result"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """The result of a tool call."""
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def close(self, seconds: float = 10.0) -> int:
        """Close the client's end and wait for the server to end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=seconds)


@contextmanager
def wired(cwd: Path, cache: Path, *words: str, **more: str) -> Iterator[Wire]:
    """A server in this folder on bare pipes."""
    process = subprocess.Popen(
        command(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment(cache) | more,
    )
    wire = Wire(process)
    try:
        yield wire
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                stream.close()


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(pid)
