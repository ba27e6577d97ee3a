"""The composed answer: what is in it, that it is true now, and that it keeps to its budget in every form."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import trigpoint
from cases_runner import Trig
from planting import planted
from trigpoint.context import Watch
from trigpoint.errors import UsageError
from trigpoint.model import Span
from trigpoint.operations import MIN_TOKENS
from trigpoint.render import json as as_json
from trigpoint.render.context import as_call, as_command, as_text, fit
from trigpoint.render.context import as_json as context_json
from trigpoint.search.context import Context, Held
from trigpoint.text.tokens import count

UPLOAD = """\
class Session:
    def upload(self, part):
        return self.client.put(part)


def send_with_backoff(session, part, attempts=3):
    \"\"\"Send a part; a failed upload is retried.\"\"\"
    for attempt in range(attempts):
        try:
            return session.upload(part)
        except ConnectionError:
            pause(attempt)
    raise ConnectionError(part)


def pause(attempt):
    wait(2**attempt)
"""
QUEUE = """\
from upload import send_with_backoff


def drain(queue, session):
    for part in queue:
        send_with_backoff(session, part)
"""
TEST = """\
from upload import send_with_backoff


def test_a_failed_upload_is_retried():
    assert send_with_backoff(Fake(), b"x")
"""
QUESTION = "who retries a failed upload"


def long_function(number: int) -> str:
    body = "".join(f"    total_{number}_{line} = upload_rate({line}) * {number}\n" for line in range(60))
    return f"def upload_statistics_{number}(rates):\n{body}    return total_{number}_0\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = {"upload.py": UPLOAD, "queue_run.py": QUEUE, "tests/test_upload.py": TEST}
    tree |= {f"stats/s{number}.py": long_function(number) for number in range(12)}
    return planted(tmp_path_factory.mktemp("context") / "app", tree)


@pytest.fixture(scope="module")
def engine(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[trigpoint.Engine]:
    index = tmp_path_factory.mktemp("index")
    with trigpoint.open(root, index_dir=index, workers=1) as opened:
        opened.index()
        yield opened


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[trigpoint.Engine]:
    """An engine on a tree that a test may change."""
    root = planted(tmp_path / "app", {"upload.py": UPLOAD, "queue_run.py": QUEUE})
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1) as opened:
        opened.index()
        yield opened


def lines_of(found: Context, root: Path) -> Iterator[tuple[str, str]]:
    """What each window shows, and what its file has there."""
    for one in found.excerpts:
        lines = (root / one.span.path).read_text().split("\n")
        yield one.text, "\n".join(lines[one.span.start - 1 : one.span.end])


def test_one_answer_has_source_neighbours_and_next_steps(engine: trigpoint.Engine, root: Path) -> None:
    found = engine.context(QUESTION)
    assert found.excerpts[0].span.path == "upload.py"
    assert found.excerpts[0].state == "verified"
    assert found.intent == "concept"
    assert [stage.name for stage in found.stages][-2:] == ["verify", "around"]
    told = {(one.subject.symbol.name, one.relation, one.symbol.symbol.name) for one in found.relations}
    assert ("send_with_backoff", "callers", "drain") in told
    assert ("send_with_backoff", "tests", "test_a_failed_upload_is_retried") in told
    assert ("send_with_backoff", "callees", "pause") in told
    assert found.steps
    assert found.files_tokens > 0
    assert all(shown == there for shown, there in lines_of(found, root))


def test_named_symbols_come_first_and_unknown_ones_are_told(engine: trigpoint.Engine) -> None:
    found = engine.context(QUESTION, symbols=["drain", "nowhere_to_be_found"])
    assert (found.excerpts[0].symbol, found.excerpts[0].why) == ("drain", "named")
    assert any("nowhere_to_be_found" in one for one in found.missing)


def test_what_the_index_lacks_is_told(tmp_path: Path) -> None:
    tree = {"upload.py": UPLOAD, "other.py": "def go(session):\n    unknown().send_with_backoff(session)\n"}
    tree["long.py"] = (
        "upload_of_long_things = 1\n" + "value_of_a_line = 1234567890  # and some words\n" * 22_000
    )
    root = planted(tmp_path / "app", tree)
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1, max_file_bytes=2_000_000) as engine:
        found = engine.context("upload_of_long_things", symbols=["send_with_backoff"])
        assert any("could not be resolved" in one and "other.py:2" in one for one in found.missing)
        assert any(one.startswith("long.py is indexed in part") for one in found.missing)


def test_paths_restrict_and_a_question_may_be_left_out(engine: trigpoint.Engine) -> None:
    found = engine.context("upload", paths=["queue_run.py"])
    assert {one.span.path for one in found.excerpts} == {"queue_run.py"}
    assert engine.context("", symbols=["pause"]).excerpts[0].symbol == "pause"
    with pytest.raises(UsageError):
        engine.context("  ")


def test_what_a_diff_changes_comes_first(tmp_path: Path) -> None:
    root = planted(tmp_path / "app", {"upload.py": UPLOAD, "queue_run.py": QUEUE})
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True)
    (root / "upload.py").write_text(UPLOAD.replace("2**attempt", "3**attempt"))
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1) as engine:
        found = engine.context("is this safe", diff="HEAD")
        assert (found.excerpts[0].symbol, found.excerpts[0].why) == ("pause", "changed since HEAD")
        assert any(one.operation == "impact" and one.arguments == {"diff": "HEAD"} for one in found.steps)


def test_no_line_is_sent_twice(engine: trigpoint.Engine) -> None:
    found = engine.context("upload", symbols=["Session", "Session.upload", "send_with_backoff"], tokens=6000)
    seen: set[tuple[str, int]] = set()
    for one in found.excerpts:
        own = {(one.span.path, line) for line in range(one.span.start, one.span.end + 1)}
        assert not own & seen
        seen |= own


def test_a_changed_file_is_read_anew_and_marked(fresh: trigpoint.Engine) -> None:
    path = fresh.root / "upload.py"
    path.write_text("# one line more\n" + UPLOAD.replace("2**attempt", "4**attempt"))
    found = fresh.context(QUESTION, update=False)
    assert found.excerpts[0].state == "changed"
    assert "4**attempt" in found.excerpts[0].text
    assert all(shown == there for shown, there in lines_of(found, fresh.root))
    assert any("changed since they were indexed" in one for one in found.missing)


def test_what_is_gone_is_left_out_with_the_reason(fresh: trigpoint.Engine) -> None:
    (fresh.root / "upload.py").write_text("nothing = 1\n")
    (fresh.root / "queue_run.py").unlink()
    found = fresh.context(QUESTION, update=False)
    assert not found.excerpts
    reasons = " ".join(one.reason for one in found.left_out)
    assert "these lines are gone" in reasons
    assert "no such file" in reasons


def test_a_deadline_gives_a_partial_answer_with_the_reason(engine: trigpoint.Engine) -> None:
    found = engine.context(QUESTION, seconds=1e-9)
    assert found.excerpts
    assert not found.relations
    assert any("deadline" in one for one in found.missing)


def test_a_cancelled_call_stops_working(engine: trigpoint.Engine) -> None:
    found = engine.context(QUESTION, watch=Watch(stopped=lambda: True))
    assert any("cancelled" in one for one in found.missing)


def test_what_a_session_has_is_pointed_at(engine: trigpoint.Engine) -> None:
    first = engine.context(QUESTION)
    sent = {one.span.path: one for one in first.excerpts}

    def held(path: str, lines: object) -> list[Held]:
        return [Held(sent[path].span, "answer 1")] if path in sent else []

    again = engine.context(QUESTION, watch=Watch(held=held))
    best = again.excerpts[0]
    assert (best.text, best.sent) == ("", f"already sent: {Span(*sent['upload.py'].span)}, answer 1")
    fresh_lines = [one for one in again.excerpts if not one.sent]
    for one in fresh_lines:
        before = sent.get(one.span.path)
        assert before is None or one.span.end < before.span.start or one.span.start > before.span.end


FORMS = {
    "json": lambda found: as_json.line(context_json(found)),
    "command": lambda found: as_text(found, as_command),
    "call": lambda found: as_text(found, as_call),
}
QUESTIONS = st.sampled_from(
    [
        QUESTION,
        "upload_statistics_3",
        "who calls send_with_backoff",
        "overview",
        "日本語 🎉" * 60,
        "x" * 5000,
        "zzz",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(MIN_TOKENS, 12_000), question=QUESTIONS, form=st.sampled_from(sorted(FORMS)))
def test_no_answer_is_over_its_budget(
    engine: trigpoint.Engine, budget: int, question: str, form: str
) -> None:
    names = ["Session", "unknown " * 30, "drain"]
    found = fit(engine.context(question, tokens=budget, symbols=names, update=False), [FORMS[form]], count)
    assert found.budget == min(budget, 10_000)
    assert count(FORMS[form](found)) <= found.budget
    assert found.given <= found.budget


def test_the_command_line_answers_like_the_library(engine: trigpoint.Engine, root: Path) -> None:
    trig = Trig(root)
    trig.always = ("--index-dir", str(engine.settings.index_dir))
    ran = trig.ask("context", "--json", "--no-update", "--tokens", "3000", QUESTION)
    library = fit(engine.context(QUESTION, tokens=3000, update=False), [FORMS["json"]], count)
    expected = json.loads(FORMS["json"](library))
    assert ran.status == 0
    assert ran.json == expected
    text = trig.ask("context", "--no-update", QUESTION).out
    assert "|def send_with_backoff" in text
    assert "trig impact upload.py:6" in text
    assert trig.ask("context", "").status == 2


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_is_shown_and_read_by_its_cells(fresh: trigpoint.Engine, indent: int | None) -> None:
    """One that is a single long line made the composed answer fail, and no place in it could be read."""
    source = ["import gauges\n", "def tide_table(harbour):\n", "    return gauges.of(harbour)\n"]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [{"text": ["QUJD"]}], "source": source}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}, indent=indent)
    (fresh.root / "tides.ipynb").write_text(text)
    shown = next(one for one in fresh.context("tide table of a harbour").excerpts if "tides" in one.span.path)
    assert shown.state == "verified" and "\ndef tide_table(harbour):\n" in shown.text
    (found,) = fresh.symbol("tide_table")
    line = found.symbol.name_line
    assert fresh.read("tides.ipynb", line, line).text == "def tide_table(harbour):"
    assert "QUJD" not in fresh.read("tides.ipynb").text
