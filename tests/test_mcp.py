"""The MCP server on stdio: whole sessions with the official SDK's client, and every byte of it on bare pipes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trigpoint
from mcp_client import command, connected, ends, environment, wired
from planting import planted
from test_context import QUESTION, QUEUE, TEST, UPLOAD, long_function

pytest.importorskip("mcp", reason="the MCP SDK is not installed: pip install 'trigpoint[dev]'")

TREE = {"upload.py": UPLOAD, "queue_run.py": QUEUE, "tests/test_upload.py": TEST}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project beside a cache that has its index."""
    folder = tmp_path_factory.mktemp("mcp")
    planted(folder / "app", TREE)
    subprocess.run(
        [sys.executable, "-m", "trigpoint", "index", "app"],
        cwd=folder,
        env=environment(folder / "cache"),
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def app(home: Path) -> Iterator[Any]:
    with wired(home / "app", home / "cache") as wire:
        yield wire


def test_a_session_with_the_sdk(home: Path) -> None:
    async def session() -> None:
        async with connected(home / "app", home / "cache") as client:
            assert client.server_info.name == "trigpoint"
            assert "Call `context` first" in client.instructions
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [
                "context",
                "search",
                "symbol",
                "impact",
                "read",
                "map",
                "status",
            ]
            found = await client.call_tool("context", {"query": QUESTION})
            assert not found.is_error
            assert found.structured_content["excerpts"][0]["path"] == "upload.py"
            assert "|def send_with_backoff" in found.content[0].text
            card = (await client.call_tool("symbol", {"name": "send_with_backoff"})).structured_content
            assert card["symbols"][0]["signature"].startswith("def send_with_backoff")
            assert {one["symbol"] for one in card["callers"]["results"]} == {
                "drain",
                "test_a_failed_upload_is_retried",
            }
            assert [one["symbol"] for one in card["callees"]["results"]] == ["pause"]
            wrong = await client.call_tool("search", {"q": "x"})
            assert wrong.is_error
            assert "no argument 'q'" in wrong.content[0].text
            guide = await client.read_resource("trig://guide")
            assert "context" in guide.contents[0].text
            prompt = await client.get_prompt("trigpoint-guide", {"task": "mend the retry"})
            assert "mend the retry" in prompt.messages[0].content.text

    asyncio.run(session())


def test_a_first_index_is_told_about_and_can_be_cancelled(tmp_path: Path) -> None:
    planted(tmp_path / "app", {f"s{number}.py": long_function(number) for number in range(60)})
    told: list[str] = []

    async def session() -> None:
        from mcp.shared.exceptions import MCPError

        async with connected(tmp_path / "app", tmp_path / "cache") as client:

            async def progress(done: float, total: float | None, message: str | None) -> None:
                told.append(message or "")

            found = await client.call_tool(
                "context", {"query": "upload statistics", "seconds": 60}, progress_callback=progress
            )
            assert found.structured_content.get("excerpts") or found.structured_content["indexing"]
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})
            slow = asyncio.create_task(client.call_tool("context", {"query": "statistics of upload rates"}))
            await asyncio.sleep(0)
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            assert not (await client.call_tool("status", {})).is_error

    asyncio.run(session())
    assert told
    assert all(message.startswith("indexing: ") for message in told)


def test_the_handshake_comes_before_any_work(tmp_path: Path) -> None:
    planted(tmp_path / "app", {"a.py": "def first():\n    return 1\n"})
    with wired(tmp_path / "app", tmp_path / "cache") as wire:
        hello = wire.ask("initialize", protocolVersion="1999-01-01", capabilities={}, clientInfo={})["result"]
        assert hello["protocolVersion"] == "2025-11-25"
        assert len(wire.ask("tools/list")["result"]["tools"]) == 7
        assert wire.ask("ping")["result"] == {}
        assert not (tmp_path / "cache").exists()
        loaded = subprocess.run(
            [sys.executable, "-c", "import sys, trigpoint.surfaces.mcp.stdio; print(*sys.modules)"],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        assert not {"mcp", "pydantic", "numpy", "toktok", "tantivy", "tree_sitter"} & set(loaded)
        assert wire.close() == 0


def test_every_odd_line_gets_an_answer_or_none(app: Any) -> None:
    app.post(b"this is no JSON")
    assert app.next()["error"]["code"] == -32700
    app.post({"id": 1, "method": "ping"})
    assert app.next()["error"]["code"] == -32600
    app.post({"jsonrpc": "2.0", "id": None, "method": "ping"})
    assert app.next()["error"]["code"] == -32600
    app.post(b"[" * 100_000)
    assert app.next()["error"]["code"] == -32700
    assert app.ask("server/discover")["error"]["code"] == -32601
    assert app.ask("tools/call", name="nothing")["error"]["code"] == -32602
    assert app.ask("resources/read", uri="file:///etc/passwd")["error"]["code"] == -32002
    app.note("notifications/cancelled", requestId=99)
    app.note("notifications/unheard_of")
    app.post({"jsonrpc": "2.0", "id": "x", "result": {}})
    app.post(
        [{"jsonrpc": "2.0", "id": "b1", "method": "ping"}, {"jsonrpc": "2.0", "id": "b2", "method": "ping"}]
    )
    assert [app.next()["id"], app.next()["id"]] == ["b1", "b2"]


def test_a_cancelled_call_is_not_answered(app: Any) -> None:
    app.shake_hands()
    app.post(
        {
            "jsonrpc": "2.0",
            "id": "gone",
            "method": "tools/call",
            "params": {"name": "context", "arguments": {"query": QUESTION}},
        }
    )
    app.note("notifications/cancelled", requestId="gone")
    app.call("status")
    app.call("context", query=QUESTION)
    assert "gone" not in {line.get("id") for line in app.lines}
    assert app.close() == 0


def test_several_calls_at_once_are_all_right(app: Any) -> None:
    app.shake_hands()
    asked = {f"c{number}": ("Session", "drain", "pause")[number % 3] for number in range(24)}
    for name, symbol in asked.items():
        app.post(
            {
                "jsonrpc": "2.0",
                "id": name,
                "method": "tools/call",
                "params": {"name": "symbol", "arguments": {"name": symbol}},
            }
        )
    answers = {}
    while len(answers) < len(asked):
        found = app.next()
        answers[found["id"]] = found["result"]["structuredContent"]["symbols"][0]["symbol"]
    assert answers == asked


def test_what_was_sent_is_named_and_what_changed_is_sent_again(tmp_path: Path) -> None:
    root = planted(tmp_path / "app", TREE)
    with wired(root, tmp_path / "cache") as wire:
        wire.shake_hands()
        first = wire.call("context", query=QUESTION)["structuredContent"]["excerpts"]
        assert all("text" in one for one in first)
        again = wire.call("context", query=QUESTION)["structuredContent"]["excerpts"]
        assert again[0]["sent"].startswith("already sent: upload.py:")
        assert not [one for one in again if "text" in one]
        found = wire.call("search", query=QUESTION)["structuredContent"]["results"]
        assert any("sent" in one for one in found)
        line = wire.call("read", place="upload.py:6-8")["structuredContent"]
        assert (line["text"], line["sent"]) == ("", again[0]["sent"])
        assert (
            "def send_with_backoff"
            in wire.call("read", place="upload.py:6-8", resend=True)["structuredContent"]["text"]
        )
        resent = wire.call("context", query=QUESTION, resend=True)["structuredContent"]["excerpts"]
        assert [one["text"] for one in resent] == [one["text"] for one in first]
        (root / "upload.py").write_text(UPLOAD.replace("2**attempt", "3**attempt"))
        changed = wire.call("context", query=QUESTION)["structuredContent"]["excerpts"]
        assert "3**attempt" in next(one["text"] for one in changed if one["path"] == "upload.py")


def test_a_change_is_in_the_next_answer(tmp_path: Path) -> None:
    root = planted(tmp_path / "app", TREE)
    with wired(root, tmp_path / "cache") as wire:
        wire.shake_hands()
        wire.call("context", query=QUESTION)
        (root / "later.py").write_text("def added_later():\n    return 1\n")
        time.sleep(2.1)  # a tree that was looked at a moment ago is not looked at again
        card = wire.call("symbol", name="added_later")["structuredContent"]
        assert card["symbols"][0]["path"] == "later.py"


def test_started_one_folder_too_high(tmp_path: Path) -> None:
    for name in ("one", "two"):
        planted(
            tmp_path / "work" / name,
            {"a.py": f"def only_in_{name}():\n    return 1\n", ".git/HEAD": "ref: refs/heads/main\n"},
        )
    with wired(tmp_path / "work", tmp_path / "cache") as wire:
        wire.shake_hands()
        refused = wire.call("context", query="only")
        assert refused["isError"]
        assert "it holds 2: one, two" in refused["content"][0]["text"]
        assert "trig mcp --root" in refused["content"][0]["text"]
        assert wire.call("symbol", name="only_in_two", root="two")["structuredContent"]["symbols"]
        assert "it holds 2" in wire.call("symbol", name="x", root="three")["content"][0]["text"]


def test_several_roots_and_worktrees_are_told_apart(tmp_path: Path) -> None:
    main = planted(tmp_path / "main" / "app", TREE)
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"],
        ["worktree", "add", "-q", "-b", "other", str(tmp_path / "tree" / "app")],
    ):
        subprocess.run(["git", *words], cwd=main, check=True, capture_output=True)
    (tmp_path / "tree" / "app" / "upload.py").write_text("def only_here():\n    return 1\n")
    roots = ["--root", str(main), "--root", str(tmp_path / "tree" / "app")]
    with wired(tmp_path, tmp_path / "cache", *roots) as wire:
        wire.shake_hands(roots={})
        here = wire.call("symbol", name="only_here", root="tree/app", seconds=60)["structuredContent"]
        assert [one["path"] for one in here["symbols"]] == ["upload.py"]
        assert not wire.call("symbol", name="only_here", root="main/app", seconds=60)["structuredContent"][
            "symbols"
        ]
        told = wire.call("status")["structuredContent"]["roots"]
        assert [(one["name"], one["branch"]) for one in told] == [("main/app", "main"), ("tree/app", "other")]


def test_the_folders_of_the_client_are_the_roots(home: Path, tmp_path: Path) -> None:
    with wired(tmp_path, home / "cache") as wire:
        wire.shake_hands(roots={})
        asked = wire.next()
        assert asked["method"] == "roots/list"
        wire.post(
            {"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": (home / "app").as_uri()}]}}
        )
        assert wire.call("symbol", name="drain")["structuredContent"]["symbols"]


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    planted(tmp_path / "app", {f"s{number}.py": long_function(number) for number in range(80)})
    line = command("--root", str(tmp_path / "app"))
    keeper = f"""
import subprocess, sys, time
server = subprocess.Popen({line!r}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
server.stdin.write(b'{{"jsonrpc":"2.0","method":"notifications/initialized"}}\\n'); server.stdin.flush()
print(server.pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", keeper], stdout=subprocess.PIPE, text=True, env=environment(tmp_path / "cache")
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    time.sleep(0.5)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert ends(pid)
    children = [
        path for path in Path("/proc").glob("[0-9]*/cmdline") if _mentions(path, "surfaces.mcp.indexer")
    ]
    assert all(ends(int(path.parent.name)) for path in children)


def _mentions(path: Path, words: str) -> bool:
    try:
        mine = Path(path.parent / "environ").read_bytes()
        return words in path.read_bytes().decode("utf-8", "replace") and b"/mcp" not in mine[:0]
    except OSError:
        return False


def test_short_sessions_add_up_to_an_index(tmp_path: Path) -> None:
    root = planted(tmp_path / "app", {f"s{number}.py": long_function(number) for number in range(120)})
    with wired(root, tmp_path / "cache") as wire:
        wire.shake_hands()
        while "read" not in str(wire.call("status")["structuredContent"].get("indexing")):
            time.sleep(0.05)
        assert wire.close() == 0
    with trigpoint.open(root, cache_dir=tmp_path / "cache", workers=1) as engine:
        assert engine.generation() == 1


def test_nothing_else_reaches_standard_output(home: Path) -> None:
    script = """
import os, subprocess, sys
from trigpoint.surfaces.mcp import stdio
line = stdio.Line()
print("printed")
os.write(1, b"written\\n")
subprocess.run(["echo", "by a child"])
line.send({"jsonrpc": "2.0", "id": 1, "result": {}})
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment(home), input=b"", capture_output=True, check=True
    )
    assert ran.stdout == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert {b"printed", b"written", b"by a child"} <= set(ran.stderr.split(b"\n"))


def test_an_unreadable_question_is_refused_in_words(app: Any) -> None:
    app.shake_hands()
    for name, arguments, words in (
        ("context", {"query": "x", "tokens": 10}, "from 256 to 200,000"),
        ("context", {"query": ["x"]}, "query is no string"),
        ("context", {"query": "x", "tier": "best"}, "it is one of: fast, balanced, thorough"),
        ("context", {}, "the question is empty"),
        ("impact", {}, "a name or a diff"),
        ("impact", {"diff": "no-such-revision"}, "git"),
        ("read", {"place": "upload.py:9-3"}, "no range"),
        ("read", {"place": "/etc/passwd"}, "outside the project"),
        ("symbol", {"name": "x", "limit": True}, "limit is no integer"),
        ("search", {"query": "x", "paths": [1]}, "paths is no list"),
    ):
        found = app.call(name, **arguments)
        assert found["isError"], name
        assert words in found["content"][0]["text"]


def test_the_inspector_plays_a_session(home: Path) -> None:
    """Another client program: the command line of the MCP inspector, from npm."""
    inspector = os.environ.get("MCP_INSPECTOR", "")
    if not inspector:
        pytest.skip("MCP_INSPECTOR names no `mcp-inspector` (npm install @modelcontextprotocol/inspector)")

    def play(*words: str) -> dict[str, Any]:
        ran = subprocess.run(
            [inspector, "--cli", *command("--root", str(home / "app")), *words],
            env=environment(home / "cache"),
            capture_output=True,
            check=True,
            timeout=60,
        )
        found: dict[str, Any] = json.loads(ran.stdout)
        return found

    assert len(play("--method", "tools/list")["tools"]) == 7
    found = play("--method", "tools/call", "--tool-name", "context", "--tool-arg", f"query={QUESTION}")
    assert found["structuredContent"]["excerpts"][0]["path"] == "upload.py"
    assert play("--method", "tools/call", "--tool-name", "read", "--tool-arg", "place=../x")["isError"]
    assert play("--method", "prompts/list")["prompts"][0]["name"] == "trigpoint-guide"
