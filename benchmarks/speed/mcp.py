"""What the MCP server costs: the handshake on a tree without an index, and `context` on one with it, in CPU of the server.

python benchmarks/speed/mcp.py TREE --work WORK [--trig TRIG] [--rounds N]

CPU is that of the server process alone, user and system, read from /proc before a message is sent and after its answer; the
index is made by processes of its own and is not in it. ``quiet`` waits until the server has loaded what it loads in the
background; ``at once`` does not.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

QUERIES = Path(__file__).with_name("queries.toml")
TICKS = os.sysconf("SC_CLK_TCK")
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
QUIET_SECONDS = 4.0


class Took(NamedTuple):
    """One answer: CPU of the server and wall clock, both in milliseconds."""

    cpu: float
    wall: float
    result: Mapping[str, Any]


class Server:
    """One `trig mcp` on stdio."""

    def __init__(self, command: list[str], index: Path) -> None:
        env = os.environ | {"TRIGPOINT_INDEX_DIR": str(index)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.last = 0

    def cpu(self) -> float:
        """Milliseconds of CPU so far: of its threads by the scheduler, else to the tick of 10 ms.

        Threads that have ended are not in the first: the timers of calls, which do nothing.
        """
        try:
            threads = Path(f"/proc/{self.process.pid}/task").iterdir()
            return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e6
        except (OSError, ValueError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) * 1000.0 / TICKS

    def send(self, method: str, params: Mapping[str, Any] | None = None, *, answered: bool = True) -> Took:
        """One message and its answer."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method} | (
            {"params": params} if params else {}
        )
        if answered:
            self.last += 1
            message["id"] = self.last
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        cpu, wall = self.cpu(), time.perf_counter()
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        result: Mapping[str, Any] = {}
        while answered:
            got = json.loads(self.process.stdout.readline())
            if got.get("id") == self.last:
                result = got["result"]
                break
        return Took(self.cpu() - cpu, (time.perf_counter() - wall) * 1000.0, result)

    def shake_hands(self) -> float:
        """CPU of the server from its start to the list of its tools."""
        self.send("initialize", HELLO)
        self.send("notifications/initialized", answered=False)
        self.send("tools/list")
        return self.cpu()

    def context(self, question: str) -> Took:
        """One composed answer."""
        return self.send("tools/call", {"name": "context", "arguments": {"query": question}})

    def close(self) -> None:
        """Let the server end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def questions() -> list[str]:
    """The questions of the search benchmark."""
    found: list[str] = []

    def take(value: object) -> None:
        if isinstance(value, str):
            found.append(value)
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            take(one)

    take(tomllib.loads(QUERIES.read_text(encoding="utf-8")))
    return found


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes")
    parser.add_argument("--trig", default="", help="the command; this Python's trigpoint when left out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--index", type=Path, help="an index of the tree; made in WORK when left out")
    args = parser.parse_args()
    trig = [args.trig] if args.trig else [sys.executable, "-m", "trigpoint"]
    command = [*trig, "mcp", "--root", str(args.tree)]
    index = args.index or args.work / "mcp-index"
    if not index.exists():
        subprocess.run([*trig, "index", str(args.tree), "--index-dir", str(index)], check=True)
    asked = questions()
    rows: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        rows.setdefault(name, []).append(value)

    for number in range(args.rounds):
        cold = Server(command, args.work / f"cold-{number}")
        note("handshake with tools/list, no index", cold.shake_hands())
        cold.close()
        for name, pause in (("first context, at once", 0.0), ("first context, quiet", QUIET_SECONDS)):
            server = Server(command, index)
            note("handshake with tools/list", server.shake_hands())
            time.sleep(pause)
            note(name, server.context(asked[0]).cpu)
            if pause:
                for question in asked[1:] * 2:
                    took = server.context(question)
                    note("next context", took.cpu)
                    note("next context, wall", took.wall)
            server.close()
    print("| step | p50, ms | p95 | least | runs |\n| --- | ---: | ---: | ---: | ---: |")
    for name, values in rows.items():
        ordered = sorted(values)
        high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        print(f"| {name} | {statistics.median(values):.0f} | {high:.0f} | {ordered[0]:.0f} | {len(values)} |")


if __name__ == "__main__":
    main()
