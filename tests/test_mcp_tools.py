"""The tools say what the operations say, and answer what the command line and the library answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trigpoint
from cases_runner import Trig
from planting import planted
from test_context import QUESTION, QUEUE, TEST, UPLOAD
from trigpoint.errors import UsageError
from trigpoint.model import Span
from trigpoint.operations import OPERATIONS
from trigpoint.render import json as form
from trigpoint.render.context import as_json, fit
from trigpoint.surfaces.mcp.answers import ANSWERS
from trigpoint.surfaces.mcp.desk import Call, Desk, Session, folders_of
from trigpoint.surfaces.mcp.ledger import Ledger
from trigpoint.surfaces.mcp.projects import Projects, named
from trigpoint.surfaces.mcp.replies import Reply
from trigpoint.surfaces.mcp.tools import DECIDED, TOOLS, fields, input_schema, listed
from trigpoint.text.tokens import count

EVERY = pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tools")
    root = planted(folder / "app", {"upload.py": UPLOAD, "queue_run.py": QUEUE, "tests/test_upload.py": TEST})
    with trigpoint.open(root, index_dir=folder / "index", workers=1) as engine:
        engine.index()
    return folder


@pytest.fixture(scope="module")
def desk(home: Path) -> Iterator[Desk]:
    made = Desk(Projects([home / "app"], {"index.dir": str(home / "index"), "workers": "1"}, fixed=True))
    yield made
    made.close()


@pytest.fixture
def engine(home: Path) -> Iterator[trigpoint.Engine]:
    with trigpoint.open(home / "app", index_dir=home / "index", workers=1) as opened:
        yield opened


def ask(desk: Desk, tool: str, session: Session | None = None, /, **arguments: Any) -> Reply:
    """The reply to one call, of a new session if none is given."""
    replies: list[Reply] = []
    answered = threading.Event()

    def done(reply: Reply) -> None:
        replies.append(reply)
        answered.set()

    desk.submit(session or Session(), tool, arguments, Call(done, lambda state: None))
    assert answered.wait(60)
    return replies[0]


@EVERY
def test_a_tool_is_an_operation_with_its_limits_and_defaults(tool: Any) -> None:
    operation = OPERATIONS[tool.name]
    own = {one.name: one for one in operation.fields()}
    schema = input_schema(tool)["properties"]
    for item in fields(tool):
        said = schema[item.name]
        assert said["description"] == item.argument.words
        assert (said.get("minimum"), said.get("maximum")) == (item.argument.minimum, item.argument.maximum)
        assert tuple(said.get("enum", ())) == item.argument.choices
        if item.name in own:
            assert item == own[item.name]
            assert said.get("default", item.default) == item.default
    shown = {one.name for one in fields(tool)}
    if not tool.takes:
        assert set(own) - DECIDED <= shown
    assert set(ANSWERS) == set(TOOLS)


def test_the_list_of_tools_is_short() -> None:
    assert len(listed()) <= 8
    assert (
        count(
            json.dumps(
                [{key: one[key] for key in ("name", "description", "inputSchema")} for one in listed()]
            )
        )
        < 2_500
    )


def same(structured: Any, told: Any, *without: str) -> None:
    """Two answers are equal but for what only one surface can know."""
    drop = {"freshness", "tokenizer", *without}
    assert {key: value for key, value in structured.items() if key not in drop} == {
        key: value for key, value in told.items() if key not in drop
    }


def test_context_answers_alike_everywhere(desk: Desk, engine: trigpoint.Engine, home: Path) -> None:
    wanted = {"query": QUESTION, "symbols": ["drain"], "tokens": 2500}
    structured = ask(desk, "context", **wanted).structured
    library = engine.context(QUESTION, symbols=["drain"], tokens=2500, update=False)
    told = json.loads(form.line(as_json(fit(library, [lambda one: form.line(as_json(one))], count))))
    same(structured, told, "given_tokens")
    ran = command(home).ask(
        "context", "--json", "--no-update", "--symbol", "drain", "--tokens", "2500", QUESTION
    )
    same(structured, ran.json, "given_tokens")


def command(home: Path) -> Trig:
    trig = Trig(home / "app")
    trig.always = ("--index-dir", str(home / "index"))
    return trig


def test_search_answers_alike_everywhere(desk: Desk, engine: trigpoint.Engine, home: Path) -> None:
    structured = ask(desk, "search", query=QUESTION, limit=2, tokens=2000).structured
    told = json.loads(form.line(form.search(engine.search(QUESTION, limit=2, tokens=2000, update=False))))
    same(structured, told)
    same(
        structured,
        command(home)
        .ask("search", "--json", "--no-update", "--limit", "2", "--tokens", "2000", QUESTION)
        .json,
    )


def test_symbol_answers_alike_everywhere(desk: Desk, engine: trigpoint.Engine, home: Path) -> None:
    card = ask(desk, "symbol", name="send_with_backoff").structured
    assert card["symbols"] == command(home).ask("symbol", "--json", "send_with_backoff").json["symbols"]
    assert card["symbols"] == [form.symbol(one) for one in engine.symbol("send_with_backoff")]
    for which in ("callers", "callees"):
        told = command(home).ask(which, "--json", "send_with_backoff").json
        assert card[which]["results"] == told["results"]
        assert card[which]["total"] == told["total"]


def test_impact_read_map_and_status_answer_alike_everywhere(
    desk: Desk, engine: trigpoint.Engine, home: Path
) -> None:
    trig = command(home)
    same(ask(desk, "impact", name="pause").structured, trig.ask("impact", "--json", "pause").json)
    same(ask(desk, "map").structured, trig.ask("map", "--json").json)
    shown, line = (
        ask(desk, "read", place="upload.py:6-8").structured,
        trig.ask("read", "--json", "upload.py:6-8").json,
    )
    assert {key: shown[key] for key in ("path", "start_line", "end_line", "text")} == {
        key: line[key] for key in ("path", "start_line", "end_line", "text")
    }
    assert shown["text"] == engine.read("upload.py", 6, 8).text
    status, told = ask(desk, "status").structured, trig.ask("status", "--json").json
    same({key: value for key, value in status.items() if key in told}, told, "bytes")


def test_every_answer_fits_its_output_schema(desk: Desk) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    calls = {
        "context": {"query": QUESTION},
        "search": {"query": QUESTION},
        "symbol": {"name": "drain"},
        "impact": {"name": "pause"},
        "read": {"place": "upload.py"},
        "map": {},
        "status": {},
    }
    for tool in listed():
        jsonschema.validate(ask(desk, tool["name"], **calls[tool["name"]]).structured, tool["outputSchema"])
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])


def test_a_call_past_its_deadline_is_told_so(desk: Desk) -> None:
    replies: list[Reply] = []
    answered = threading.Event()
    with desk.projects.open()._freed:  # nobody gets an engine
        call = Call(lambda reply: (replies.append(reply), answered.set()), lambda state: None)
        desk.submit(Session(), "symbol", {"name": "drain", "seconds": 1}, call)
        assert answered.wait(10)
    assert replies[0].error
    assert "no answer within 1 s" in replies[0].text


def test_the_ledger_forgets_the_oldest_and_counts_it() -> None:
    ledger = Ledger(windows=2, characters=1000)
    for number in range(1, 5):
        ledger.record("app", Span(f"f{number}.py", 1, 2), "a\nb", ledger.begin())
    held = ledger.held("app")
    assert [len(held(f"f{number}.py", ["a", "b"])) for number in range(1, 5)] == [0, 0, 1, 1]
    assert held("f4.py", ["a", "b"])[0].pointer == "answer 4"
    assert not held("f4.py", ["a", "changed"])
    assert not ledger.held("other")("f4.py", ["a", "b"])
    assert ledger.forgotten == 2
    ledger.record("app", Span("big.py", 1, 1), "x" * 999, ledger.begin())
    assert ledger.forgotten == 4


def test_what_the_ledger_forgets_is_told_and_sent_again(desk: Desk) -> None:
    session = Session()
    session.ledger = Ledger(windows=1)
    first = ask(desk, "context", session, query=QUESTION)
    again = ask(desk, "context", session, query=QUESTION)
    assert (
        len([one for one in again.structured["excerpts"] if "text" in one])
        == len(first.structured["excerpts"]) - 1
    )
    assert any("has forgotten" in one for one in again.structured["missing"])
    for tool, words in (("search", {"query": QUESTION}), ("read", {"place": "upload.py"})):
        assert any("has forgotten" in note for note in ask(desk, tool, session, **words).structured["notes"])


def test_two_projects_do_not_share_an_index_folder(home: Path, tmp_path: Path) -> None:
    projects = Projects([home / "app", tmp_path], {"index.dir": str(home / "index")}, fixed=True)
    assert projects.open().name == "app"
    with pytest.raises(UsageError, match="share one index folder"):
        projects.open(tmp_path.name)


def test_folders_get_names_that_tell_them_apart(tmp_path: Path) -> None:
    assert list(named([Path("/a/app"), Path("/b/app"), Path("/c/lib")])) == ["a/app", "b/app", "lib"]
    roots = {
        "roots": [
            {"uri": tmp_path.as_uri()},
            {"uri": "https://example.invalid"},
            {"uri": 3},
            "x",
            {"uri": "file:///nowhere"},
        ]
    }
    assert folders_of(roots) == [tmp_path]
    assert folders_of(None) == []
