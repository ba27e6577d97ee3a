"""callers, callees, deps, impact, path, map and graph as people and programs ask for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import trigpoint
from cases_runner import Trig
from graphs import CLOCK
from linking import tree
from planting import planted
from trigpoint.graph.ask import RELATIONS
from trigpoint.operations import OPERATIONS
from trigpoint.text.tokens import count


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trig]:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    yield Trig(planted(tmp_path / "works", tree(CLOCK)))


def test_every_relation_is_a_command() -> None:
    assert set(RELATIONS) <= set(OPERATIONS)


def test_callers_are_lines_of_code(trig: Trig) -> None:
    ran = trig.ask("callers", "even")
    assert ran.status == 0
    assert ran.out == (
        "clock.py:5:odd: return n != 0 and even(n - 1)\n"
        "clock.py:11:left: return even(n)\n"
        "clock.py:14:right: return even(n)\n"
    )


def test_each_row_says_how_far_it_is_and_why(trig: Trig) -> None:
    assert trig.ask("callees", "even").out == (
        "clock.py:1:tick: hop 1, even calls it at clock.py:8\nclock.py:4:odd: hop 1, even calls it at clock.py:8\n"
    )
    assert "clock.py:16:top: hop 1, Face.show calls it at face.py:8\n" in trig.ask("deps", "Face").out
    assert "face.py:7:Face.show: hop 1, calls top at face.py:8\n" in trig.ask("impact", "top").out
    assert "clock.py:10:left: hop 2, top calls it at clock.py:17\n" in trig.ask("path", "Face", "tick").out


def test_impact_sums_up_beside_the_answer(trig: Trig) -> None:
    ran = trig.ask("impact", "tick", "--depth", "9")
    assert "trig: 8 affected symbols in 3 files, 1 of them tests\n" in ran.err


def test_nothing_is_status_1_and_a_missing_name_is_status_2(trig: Trig) -> None:
    assert trig.ask("callers", "test_face").status == 1
    ran = trig.ask("callers", "nobody")
    assert (ran.status, ran.out) == (1, "")
    assert "nothing is called 'nobody' here" in ran.err
    assert trig.ask("callers").status == 2
    assert trig.ask("impact", "top", "--diff").status == 2
    assert trig.ask("impact", "top", "--depth", "0").status == 2


def test_json_and_jsonl_hold_the_same_rows(trig: Trig) -> None:
    whole = trig.ask("impact", "--json", "top").json
    lines = [json.loads(line) for line in trig.ask("impact", "--jsonl", "top").out.splitlines()]
    assert [line["type"] for line in lines] == ["result"] * len(whole["results"]) + ["summary"]
    first = whole["results"][0]
    assert {key: lines[0][key] for key in first} == first
    assert (first["symbol"], first["hop"], first["edge"], first["near"]["name"]) == (
        "Face.show",
        1,
        "calls",
        "top",
    )
    assert first["sites"] == [{"path": "face.py", "line": 8, "column": 16, "text": "return top(self.hands)"}]
    assert whole["affected"] == {"symbols": 3, "files": 2, "tests": 1}


@pytest.mark.parametrize("command", sorted(RELATIONS))
def test_a_budget_holds_and_the_cut_is_told(trig: Trig, command: str) -> None:
    for form in ("--json", "--jsonl", "--color=never"):
        ran = trig.ask(
            command,
            form,
            "--tokens",
            "256",
            "--depth" if "depth" in OPERATIONS[command].arguments else "--limit",
            "9",
            "even",
        )
        assert count(ran.out) <= 256
    whole = trig.ask(command, "--json", "even").json
    cut = trig.ask(command, "--json", "--limit", "1", "even").json
    assert len(cut["results"]) == 1
    assert cut["total"] == whole["total"]
    if whole["total"] > 1:
        assert any("left out" in note for note in cut["notes"])


def test_a_file_of_questions_is_answered_line_by_line(trig: Trig, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 7, "query": "even"}\n{"id": "x", "query": "nobody"}\n')
    ran = trig.ask("callers", "--queries", str(questions))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [(one["id"], one["total"]) for one in answers] == [(7, 3), ("x", 0)]
    assert ran.status == 0
    assert trig.ask("callers", "even", "--queries", str(questions)).status == 2


def test_changed_files_are_brought_in_first_unless_that_is_unwanted(trig: Trig) -> None:
    assert trig.ask("callers", "right").out.count("\n") == 1
    (trig.root / "more.py").write_text("from clock import right\n\n\ndef more():\n    return right(3)\n")
    assert trig.ask("callers", "--no-update", "right").out.count("\n") == 1
    ran = trig.ask("callers", "right")
    assert "more.py:5:more: return right(3)\n" in ran.out
    assert "brought in 1 changed files first" in ran.err


def test_an_index_that_is_missing_is_said(trig: Trig) -> None:
    ran = trig.ask("callers", "--no-update", "even")
    assert ran.status == 2
    assert "not indexed" in ran.err


def test_the_map_fits_its_budget_exactly(trig: Trig) -> None:
    (trig.root / "many.py").write_text(
        "".join(f"def step_{n}(x):\n    return step_{n + 1}(x)\n\n\n" for n in range(200))
    )
    for tokens in (256, 700):
        ran = trig.ask("map", "--tokens", str(tokens))
        assert tokens * 0.8 < count(ran.out) <= tokens
        assert count(trig.ask("map", "--json", "--tokens", str(tokens)).out) <= tokens
    assert trig.ask("map", "--path", "clock.py").out.splitlines()[0] == "clock.py"
    assert trig.ask("map", "--path", "nowhere").status == 2


def test_the_graph_in_every_form(trig: Trig) -> None:
    found = trig.ask("graph").json
    names = [node["name"] for node in found["nodes"]]
    assert {"even", "tick", "Face.show"} <= set(names)
    assert all({"source", "target", "kind"} <= link.keys() for link in found["links"])
    graphml = ElementTree.fromstring(trig.ask("graph", "--format", "graphml").out)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(graphml.findall(f".//{space}node")) == len(found["nodes"])
    assert len(graphml.findall(f".//{space}edge")) == len(found["links"])
    dot = trig.ask("graph", "--format", "dot").out
    assert dot.startswith("digraph") and 'label="even"' in dot and dot.count(" -> ") == len(found["links"])
    mermaid = trig.ask("graph", "--format", "mermaid", "--level", "file").out
    assert mermaid.startswith("flowchart LR\n") and '["clock.py"]' in mermaid


def test_the_picture_is_one_file_that_asks_nobody(trig: Trig) -> None:
    (trig.root / "odd.py").write_text(
        'def evil():\n    return evil("</script><b>&")\n\n\ndef more(x="</script>"):\n    return evil()\n'
    )
    page = trig.ask("graph", "--format", "html").out
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)\s*=|https?://|@import|url\(|fetch\(|XMLHttpRequest|import\(", page)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert len(data["nodes"]) == len(trig.ask("graph").json["nodes"])
    assert page.count("</script>") == 2
    assert page == trig.ask("graph", "--format", "html").out


def test_a_cut_graph_says_so(trig: Trig) -> None:
    ran = trig.ask("graph", "--limit", "2")
    assert len(ran.json["nodes"]) == 2
    assert "left out: --limit" in ran.err


def test_the_library_gives_the_same_answers(trig: Trig, tmp_path: Path) -> None:
    with trigpoint.open(trig.root, cache_dir=str(tmp_path / "library")) as project:
        assert [row.name for row in project.callers("even").rows] == ["odd", "left", "right"]
        assert [row.name for row in project.callees("even").rows] == ["tick", "odd"]
        assert project.deps("Face", depth=1).rows[0].name == "top"
        assert project.impact("tick", depth=1).rows[0].name == "even"
        assert [row.name for row in project.path("Face", "tick").rows][-1] == "tick"
        assert [name for name, _ in project.walk_many("callers", [("1", "even"), ("2", "odd")])] == ["1", "2"]
        assert project.map().files[0].path in ("clock.py", "face.py")
        assert project.graph().nodes


def test_a_map_of_the_same_index_is_drawn_from_kept_ranks(trig: Trig, tmp_path: Path) -> None:
    drawn = trig.ask("map").out
    (kept,) = (tmp_path / "cache").rglob("ranks.bin")
    made = kept.read_bytes()
    assert trig.ask("map").out == drawn
    kept.write_bytes(made.replace(b"face.py", b"FACE.py"))  # its sum is wrong now
    assert trig.ask("map").out == drawn
    assert kept.read_bytes() == made
    (trig.root / "late.py").write_text("from clock import top\n\n\ndef late():\n    return top(1)\n")
    assert trig.ask("map").out != drawn
    assert kept.read_bytes() != made
    trig.ask("clean")
    assert not kept.exists()
