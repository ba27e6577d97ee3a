"""Any arguments that the schemas allow, and many that they do not: no crash, no byte from outside, no answer over its budget.

`make fuzz-mcp` plays 20,000 calls; here are some hundreds of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import trigpoint
from planting import planted
from test_context import QUEUE, TEST, UPLOAD, long_function
from trigpoint.operations import CONTEXT_TOKENS, MAX_TOKENS, MIN_TOKENS
from trigpoint.surfaces.mcp.desk import Call, Desk, Session
from trigpoint.surfaces.mcp.projects import Projects
from trigpoint.surfaces.mcp.replies import Reply, written
from trigpoint.surfaces.mcp.tools import TOOLS, input_schema
from trigpoint.text.tokens import count

CALLS = int(os.environ.get("MCP_FUZZ_CALLS") or 250)
MOST = 10_000
SECRET = "outside-the-roots-8231"
ODD = "def wei\u202erd():\n    return '\x1b[2J\u200b🎉𓀀' * 3  # 日本語の説明 " + "ab12" * 400 + "\n"

TREE = {
    "upload.py": UPLOAD,
    "queue_run.py": QUEUE,
    "tests/test_upload.py": TEST,
    "odd name\t.py": ODD,
    "hieroglyphs.md": "# 𓀀𓀁𓀂 " + "𓀀𓁐𓂀 " * 300 + "\n",
    "minute.py": "x=1",
    **{f"stats/s{number}.py": long_function(number) for number in range(8)},
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("fuzz")
    root = planted(folder / "app", TREE)
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    (root / "upload.py").write_text(UPLOAD.replace("2**attempt", "3**attempt"))
    (folder / "outside").mkdir()
    (folder / "outside" / "secret.py").write_text(f"TOKEN = '{SECRET}'\n")
    (folder / "app-private").mkdir()
    (folder / "app-private" / "secret.py").write_text(f"TOKEN = '{SECRET}'\n")
    (root / "link").symlink_to(folder / "outside")
    (root / "link.py").symlink_to(folder / "outside" / "secret.py")
    with trigpoint.open(root, index_dir=folder / "index", workers=1) as engine:
        engine.index()
    made = Desk(Projects([root], {"index.dir": str(folder / "index"), "workers": "1"}, fixed=True))
    yield made
    made.close()
    print(f"{sum(PLAYED.values()):,} calls: {dict(PLAYED)}")


PLACES = [
    "upload.py", "upload.py:6-9", "stats", "**/*.py", "odd name\t.py", "hieroglyphs.md", "../outside/secret.py", "link/secret.py",
    "link.py", "../app-private/secret.py", "/etc/passwd", "file:///etc/passwd", "..\\outside\\secret.py", "%2e%2e/outside",
    "upload.py\0", "", ".", "C:\\x", "upload.py:0-0", "upload.py:9999999999", "[", "*" * 50,
]  # fmt: skip
NAMES = [
    "send_with_backoff",
    "Session.upload",
    "pause",
    "wei\u202erd",
    "upload.py:6",
    "upload.py#pause",
    "HEAD",
    "--help",
    "main..HEAD",
]
QUESTIONS = [
    "who retries a failed upload",
    "overview",
    "what breaks if I change pause",
    "who calls pause",
    'File "upload.py", line 8, in pause',
]
TEXTS = st.one_of(
    st.sampled_from(PLACES + NAMES + QUESTIONS),
    st.text(max_size=60),
    st.text(st.characters(codec=None), max_size=20),
    st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=8), st.integers(1, 2000)),
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def value_of(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of one argument: mostly right, near its limits, now and then of another kind."""
    kind = schema["type"]
    if "enum" in schema:
        right: st.SearchStrategy[Any] = st.sampled_from(schema["enum"])
    elif name == "tokens":
        right = st.integers(MIN_TOKENS, 3_000) | st.sampled_from([MIN_TOKENS, MOST, MOST + 1, MAX_TOKENS])
    elif name == "seconds":
        right = st.integers(20, 600)
    elif kind == "integer":
        right = st.integers(schema.get("minimum", -5), min(schema.get("maximum", 50), 200))
    elif kind == "boolean":
        right = st.booleans()
    elif kind == "array":
        right = st.lists(TEXTS, max_size=3)
    else:
        right = TEXTS
    return st.integers(0, 19).flatmap(lambda dice: JUNK if dice == 0 else right)


def calls() -> st.SearchStrategy[tuple[str, Any]]:
    """A tool and what it is given."""

    def of_tool(name: str) -> st.SearchStrategy[tuple[str, Any]]:
        schemas = input_schema(TOOLS[name])["properties"]
        optional = {key: value_of(key, schema) for key, schema in schemas.items() if key != "root"}
        optional["root"] = st.sampled_from(["", "app", "other", "../outside"])
        head = {key: optional.pop(key) for key in list(optional)[:1]}
        right = st.fixed_dictionaries(head, optional=optional)
        return st.tuples(st.just(name), st.integers(0, 29).flatmap(lambda dice: JUNK if dice == 0 else right))

    return st.sampled_from(sorted(TOOLS)).flatmap(of_tool)


PLAYED: Counter[str] = Counter()
SESSIONS = [Session() for _ in range(3)]


def reply_to(desk: Desk, tool: str, given: Any, session: Session) -> Reply:
    answered = threading.Event()
    replies: list[Reply] = []

    def done(reply: Reply) -> None:
        replies.append(reply)
        answered.set()

    desk.submit(session, tool, given, Call(done, lambda state: None))
    assert answered.wait(60), "no answer"
    return replies[0]


def budget_of(tool: str, given: Any) -> int:
    """What an answer may have at most."""
    tokens = given.get("tokens") if isinstance(given, dict) else None
    if (
        isinstance(tokens, (int, float))
        and not isinstance(tokens, bool)
        and MIN_TOKENS <= tokens <= MAX_TOKENS
    ):
        return min(int(tokens), MOST)
    return CONTEXT_TOKENS if tool in ("context", "impact", "map", "symbol") else MOST


@settings(
    max_examples=CALLS,
    deadline=None,
    database=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(call=calls(), session=st.sampled_from(SESSIONS))
def test_any_call_is_answered_safely(desk: Desk, call: tuple[str, Any], session: Session) -> None:
    tool, given = call
    PLAYED[tool] += 1
    reply = reply_to(desk, tool, given, session)
    structure = written(reply.structured)
    assert "fault of trig itself" not in reply.text, reply.text
    assert SECRET not in reply.text + structure
    assert "root:x:" not in reply.text + structure
    budget = budget_of(tool, given)
    assert count(reply.text) <= budget
    assert count(structure) <= budget
    json.loads(structure)
    structure.encode()
    reply.text.encode()
