"""Every key of docs/json.md is produced, and every key produced is in docs/json.md."""

import json as standard
import re
from base64 import b64decode
from pathlib import Path

from answers import FRESH, OUTLINED, PACK, SYMBOLS
from trigpoint.config import Shown
from trigpoint.evaluation.measure import Record, Run, compare, means
from trigpoint.graph.around import Neighbour
from trigpoint.graph.drawing import Drawing, Link, Node
from trigpoint.graph.map import Landmark, MapFile, ProjectMap
from trigpoint.graph.relation import Affected, Change, Relation, Row, Site
from trigpoint.indexing.merkle import Difference
from trigpoint.indexing.tree import TreeDifference, TreeFile, TreeState
from trigpoint.model import (
    Checkup,
    Edge,
    End,
    Exported,
    FileRow,
    Finding,
    Imported,
    IndexReport,
    Level,
    NamedEdge,
    Outcome,
    Span,
    Status,
    Watched,
)
from trigpoint.render import bench, drawing, install, json, stats, tree, upkeep
from trigpoint.render.context import as_json
from trigpoint.render.map import project_map
from trigpoint.search.context import Context, Excerpt, Listed, NextStep
from trigpoint.tally import Day

DOCS = Path(__file__).parent.parent / "docs" / "json.md"

REPORT = IndexReport("/p", 1, 2, 2, 0, 0, 0, {"binary": 1}, {}, 3, 4, {"python": 1}, 0.5)
ROW = FileRow(
    1, "a.bin", "", "", 9, 0, "", Outcome(Level.SKIPPED, "binary", "NUL"), frozenset({"test"}), None
)
STATUS = Status("/p", "/c", "ready", 3, 2, 4, 5, 6, {}, {}, {}, {}, 10, FRESH, (ROW,))
EDGE = NamedEdge(
    End("a.py", "run", 3), End("b.py", "", 1), Edge("a.py", 0, "b.py", -1, "imports", 0.95, 4, 0, "import")
)
NEAR = SYMBOLS[0]
ROW_OF_WALK = Row(
    SYMBOLS[1], 1, "calls", NEAR, (Site("src/a.py", 4, 8, "go()"),), 0.9, "self", 4, origin=NEAR
)
CHANGE = Change("src/a.py", "A", "class", "modified", Span("src/a.py", 1, 9), NEAR)
RELATION = Relation(
    "A", "impact", (NEAR,), (ROW_OF_WALK,), 1, changes=(CHANGE,), affected=Affected(1, 1, ("t.py",))
)
MAP = ProjectMap(
    (MapFile("src/a.py", 0.5, (Landmark(NEAR, 0.5),)),), (Landmark(NEAR, 0.5),), {"src/a.py": 0.5}, 1
)
NODE = Node("src/a.py", "A", "class", 1, "class A(B)", 0.5, 0, False)
DRAWING = Drawing("symbol", (NODE, NODE), (Link(0, 1, "calls", 0.9, 2),), 2, ((1, 1),), ((0, 2),))
RUN = Run("bm25", (Record("1", "", "", {"mrr": 0.5}, 2.0, 90, ("src/a.py",)),))
EXCERPT = Excerpt(1, Span("src/a.py", 1, 9), "A", "class", "named", "verified", "class A(B):", True)
CONTEXT = Context(
    query="q", intent="concept", plan="lexical", rationale="words", stages=PACK.stages,
    excerpts=(EXCERPT, EXCERPT._replace(sent="already sent: src/a.py:1-9, answer 1")),
    relations=(Neighbour(NEAR, "callers", SYMBOLS[1], "src/a.py", 4, 0.9),), totals=(("A", "callers", 3),),
    listed=(Listed(Span("b.py", 1, 2), "b"),), left_out=(Listed(Span("c.py", 1, 2), "c", "gone"),),
    missing=("a word",), steps=(NextStep("the rest", "read", {"place": "b.py:1-2"}),),
    budget=4000, tokenizer="estimate", freshness=FRESH, confidence=0.7,
)  # fmt: skip
FINDING = Finding("rows", "torn", "mended", "rows")
ANSWERS = {
    "context": as_json(CONTEXT),
    "search": json.search(PACK, explain=True),
    "search, outlined": json.search(OUTLINED),
    "search --queries": json.batch("7", PACK),
    "symbol, outline": json.symbols(SYMBOLS),
    "edges": {"edges": [json.edge(EDGE)]},
    "callers, callees, deps, impact, path": json.relation(RELATION, 4000, "estimate"),
    "map": project_map(MAP, 4000, "estimate"),
    "graph": drawing.as_json(DRAWING),
    "read": json.window(PACK.hits[0].window),
    "index": json.report(REPORT),
    "status": json.status(STATUS),
    "doctor": upkeep.checkup_row(Checkup((FINDING,), ("a",), (FINDING,))),
    "watch": upkeep.watched_row(Watched("update", REPORT, ("a.py",))),
    "export": Exported("x", 1, "ab", 2, 3, "cd", "ef")._asdict(),
    "import": upkeep.imported_row(Imported("x", 2, 1, "ef", REPORT)),
    "tree export": tree.exported(TreeState((TreeFile("a.py", "ab", 1, 2, "indexed", ""),)), "1"),
    "tree diff": tree.differing(
        TreeDifference("a", "b", Difference(("a",), ("b",), ("c",), (("d", "e"),)), 1)
    ),
    "clean": json.removed(("a",)),
    "bench": bench.run_object(RUN, tuple(means(RUN)), tuple(compare(RUN, RUN))),
    "install, uninstall": install.rows(
        (install.Shown("zed", "server", "a", "created", None, b"1\n"),), (), "user", dry=True
    ),
    "stats": stats.as_object([Day("2026-01-02")._asdict(), Day("total")._asdict()], "a", counting=True),
    "config": json.settings((Shown("search.limit", 10, "default", "most results"),)),
}
MAPPINGS = {
    "arguments",
    "skipped",
    "partial",
    "languages",
    "levels",
    "reasons",
    "views",
    "view_reasons",
    "scores",
}  # their keys are data


def keys(found: object) -> set[str]:
    if isinstance(found, dict):
        inner = [
            keys(value) for key, value in found.items() if not (key in MAPPINGS and isinstance(value, dict))
        ]
        return set(found).union(*inner)
    return set().union(*map(keys, found)) if isinstance(found, (list, tuple)) else set()


def test_the_documented_keys_are_the_produced_ones() -> None:
    documented = set(re.findall(r"^\| `(\w+)` \|", DOCS.read_text(), re.MULTILINE))
    produced = set().union(*(keys(standard.loads(json.line(answer))) for answer in ANSWERS.values()))
    produced |= {key for item in json.search_lines(PACK) for key in item}
    languages = {"language", "level", "files", "languages"}
    assert documented - languages == produced - languages
    assert languages <= documented


def test_a_whole_answer() -> None:
    answer = standard.loads(json.line(ANSWERS["search"]))
    assert answer["schema"] == 1
    first = answer["results"][0]
    assert (first["path"], first["start_line"], first["end_line"], first["line"]) == (
        "src/upload.py",
        41,
        45,
        42,
    )
    assert (
        first["score"]
        == sum(first["reasons"].values())
        == sum(item["value"] for item in first["evidence"])
        == 1.0
    )
    assert first["window"]["text"].startswith("def retry")


def test_a_path_that_is_not_utf8_round_trips() -> None:
    line = json.line(ANSWERS["search"])
    line.encode()
    second = standard.loads(line)["results"][1]
    assert second["path"] == "a\nb�.py"
    assert b64decode(second["path_bytes"]) == b"a\nb\xff.py"
    assert "\x1b" not in line
    assert "\x1b" in second["window"]["text"]


def test_lines_are_results_and_a_summary() -> None:
    lines = [standard.loads(line) for line in json.lines(json.search_lines(PACK)).splitlines()]
    assert [line["type"] for line in lines] == ["result", "result", "summary"]
    assert all(line["schema"] == 1 for line in lines)
    assert "results" not in lines[-1]


def test_a_batch_line_has_the_promised_keys() -> None:
    line = standard.loads(json.line(json.batch("q1", PACK)))
    assert line["id"] == "q1"
    assert {"path", "start_line", "end_line", "symbol", "score", "reasons"} <= set(line["results"][0])
