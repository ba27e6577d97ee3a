"""The MCP server over streamable HTTP on loopback: the same session as on stdio, behind a token."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_client import command, environment
from planting import planted
from test_context import QUESTION, QUEUE, TEST, UPLOAD

pytest.importorskip("mcp", reason="the MCP SDK is not installed: pip install 'trigpoint[dev]'")


class Served:
    """A server's address and token, as it told them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.address = process.stderr.readline().split()[1]
        self.token = process.stderr.readline().split()[-1]

    def status(self, **headers: str) -> int:
        """The status of a bare POST."""
        body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        told = {"content-type": "application/json", "accept": "application/json, text/event-stream"} | headers
        request = urllib.request.Request(self.address, body, told)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("http")
    root = planted(folder / "app", {"upload.py": UPLOAD, "queue_run.py": QUEUE, "tests/test_upload.py": TEST})
    process = subprocess.Popen(
        command("--root", str(root), "--http", "0"),
        stderr=subprocess.PIPE,
        text=True,
        env=environment(folder / "cache"),
    )
    try:
        yield Served(process)
    finally:
        process.terminate()
        process.wait(10)
        assert process.stderr is not None
        process.stderr.close()


def test_the_token_is_asked_for(served: Served) -> None:
    assert served.address.startswith("http://127.0.0.1:")
    assert served.status() == 401
    assert served.status(authorization="Bearer wrong") == 401
    good = f"Bearer {served.token}"
    assert served.status(authorization=good, origin="https://evil.invalid") in (400, 403)
    assert served.status(authorization=good, host="evil.invalid") in (400, 403, 421)


def test_a_session_with_the_sdk_over_http(served: Served) -> None:
    told: list[str] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async def session() -> None:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared.exceptions import MCPError

        headers = {"authorization": f"Bearer {served.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as web,
            Client(streamable_http_client(served.address, http_client=web), mode="legacy") as client,
        ):
            tools = (await client.list_tools()).tools
            assert next(tool.name for tool in tools) == "context"
            found = await client.call_tool("context", {"query": QUESTION}, progress_callback=progress)
            assert found.structured_content["excerpts"][0]["path"] == "upload.py"
            again = await client.call_tool("context", {"query": QUESTION})
            assert again.structured_content["excerpts"][0]["sent"].startswith("already sent: ")
            wrong = await client.call_tool("read", {"place": "../x"})
            assert wrong.is_error
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})
            slow = asyncio.create_task(client.call_tool("context", {"query": "pause"}))
            await asyncio.sleep(0)  # begun, and surely not ended
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            many = await asyncio.gather(*(client.call_tool("symbol", {"name": "drain"}) for _ in range(8)))
            assert all(one.structured_content["symbols"][0]["path"] == "queue_run.py" for one in many)
            prompts: Any = await client.list_prompts()
            assert prompts.prompts[0].name == "trigpoint-guide"
            assert (await client.read_resource("trig://guide")).contents

    asyncio.run(session())
    assert all(message.startswith("indexing: ") for message in told)


def test_a_client_of_the_newest_protocol_is_answered_too(served: Served) -> None:
    async def session() -> None:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        headers = {"authorization": f"Bearer {served.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as web,
            Client(streamable_http_client(served.address, http_client=web)) as client,
        ):
            assert client.protocol_version >= "2025-11-25"
            found = await client.call_tool("symbol", {"name": "drain"})
            assert found.structured_content["symbols"][0]["path"] == "queue_run.py"

    asyncio.run(session())


def test_without_the_sdk_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ImportError\n")
    env = environment(tmp_path / "cache")
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path), env["PYTHONPATH"]])
    ran = subprocess.run(
        [sys.executable, "-m", "trigpoint", "mcp", "--http", "0"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "pip install 'trigpoint[mcp]'" in ran.stderr
    ran = subprocess.run(
        [sys.executable, "-m", "trigpoint", "mcp", "--http", "99999"],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "is no port" in ran.stderr
