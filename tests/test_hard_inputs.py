"""Hard inputs of our own, small, for where the shared ones are not beside the repository: lines, questions, ranks, sizes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import trigpoint
from cases_runner import Hit, Trig, hits_of
from cases_says import sed
from planting import Tree, planted
from trigpoint.text.tokens import count


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Tree], Trig]:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")

    def build(tree: Tree) -> Trig:
        trig = Trig(planted(tmp_path / "garden", tree))
        assert trig.ask("index").status == 0
        return trig

    return build


def found(trig: Trig, query: str, *words: str) -> list[Hit]:
    ran = trig.ask("search", "--json", *words, literal=(query,))
    assert ran.status in (0, 1), ran
    return hits_of(ran.json)


def paths(trig: Trig, query: str, *words: str) -> list[str]:
    return [hit.path for hit in found(trig, query, *words)]


# lines end at LF and nowhere else

ODD_LINES = (
    b"# \xc2\x85 NEL, \x0b VT and \x1c\x1d\x1e separators end no line\n"
    b"\x0c\n"
    b"def prune(branch):\n"
    b"    mark = 'a\xe2\x80\xa8b\xe2\x80\xa9c'  # line and paragraph separators\r\n"
    b"    return branch\rmark\n"
    b"\x0c\x0c\n"
    b"class Hedge:\n"
    b"    def clip(self):\n"
    b"        return prune('hedge')"
)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_what_is_shown_is_what_sed_prints(project: Callable[[Tree], Trig], ends: bytes) -> None:
    trig = project({"hedge.py": ODD_LINES.replace(b"\n", ends)})
    for query in ("prune branch", "clip hedge", "separators"):
        for hit in found(trig, query):
            window = hit.raw["window"]
            printed = sed(trig, hit.path, window["start_line"], window["end_line"])
            assert window["text"].removesuffix("\n").encode() == printed.removesuffix(b"\n")
    shown = [
        (hit.symbol, hit.line, hit.end)
        for hit in hits_of(trig.ask("outline", "--json", literal=("hedge.py",)).json)
    ]
    assert [(name, line, end) for name, line, end in shown if name.startswith("Hedge")] == [
        ("Hedge", 7, 9),
        ("Hedge.clip", 8, 9),
    ]
    read = trig.ask("read", "--json", literal=("hedge.py:3-7",)).json["text"]
    assert read.encode() + b"\n" == sed(trig, "hedge.py", 3, 7)


# a question is text


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[trigpoint.Engine]:
    root = planted(
        tmp_path_factory.mktemp("shed"),
        {
            "tools/rake.py": 'class Rake:\n    """A lawn-rake (grass::only, size 40.2)."""\n\n    def __len__(self):\n        return self["tine-count"]\n',
            "tools/spade.js": "export const dig = ($el) => $el.depth * 2; // don't dig at 100%\n",
        },
    )
    with trigpoint.open(root, index_dir=str(root.parent / "shed-index"), workers=1) as engine:
        engine.index()
        yield engine


ODD_QUERIES = (
    '"', '""', "'", "*", "-", "--", "-x", "rake*", "(", "((a)", "NEAR(", "NEAR(a b, 5)", "a AND", "OR", "NOT", "AND OR NOT",
    "col:val", "^start", "{a b}: c", "a + b", "\\", "\\x", "%", "_", "tools/*.py", "100%", "; DROP TABLE files; --", "$(id)", "`id`",
    "a\tb", "\0", "[key]", "->", "!=", "://", "#", "@", "~", "&&", "||", "💐", "\ud800", "a" * 5000, "e\u0301", "ﬀ", "İstanbul", "???", "the of",
    "path:", 'path:"', "path:[", "path:**", "-path:*", "kind:nothing", "lang:klingon", "name:*", "path:../..", "path:/", 'lang:"',
)  # fmt: skip


@pytest.mark.parametrize("query", ODD_QUERIES)
def test_no_odd_question_is_an_error(shed: trigpoint.Engine, query: str) -> None:
    assert shed.search(query, update=False).hits is not None


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_no_text_at_all_is_an_error(shed: trigpoint.Engine, query: str) -> None:
    try:
        shed.search(query, update=False)
    except trigpoint.UsageError as error:
        assert "complexity" in error.message  # the one filter that can be malformed


@pytest.mark.parametrize(
    "query", ["lawn-rake", '"lawn-rake"', "grass::only", "40.2", 'self["tine-count"]', "__len__"]
)
def test_words_in_odd_clothes_are_found(shed: trigpoint.Engine, query: str) -> None:
    assert shed.search(query, update=False).hits[0].hit.chunk.path == "tools/rake.py"


def test_a_pasted_log_is_answered_and_the_cut_is_told(shed: trigpoint.Engine) -> None:
    log = (
        "INFO all is well in the shed\n" * 2000
        + "KeyError: 'tine-count'\n"
        + "DEBUG the door is open\n" * 2000
    )
    began = time.process_time()
    pack = shed.search(log, update=False)
    assert time.process_time() - began < 2
    assert pack.hits[0].hit.chunk.path == "tools/rake.py"
    assert "the question was long" in pack.notes[0]


# names


def test_the_exact_name_comes_first_and_every_spelling_is_found(project: Callable[[Tree], Trig]) -> None:
    noise = "".join(
        f"def water_all_beds_of_row_{number}(bed):\n    return water(bed)\n\n\n" for number in range(30)
    )
    trig = project(
        {
            "beds/noise.py": noise,
            "beds/water.py": 'def water_bed(bed):\n    return bed\n\n\ndef openHTTPValve3(url):\n    """Open."""\n    return url\n',
            "beds/seed.py": "def sow_winter_rye(bed):\n    return bed\n",
        }
    )
    for query, wanted, best in (
        ("water_bed", ("beds/water.py", 1), 1),
        ("openHTTPValve3", ("beds/water.py", 5), 1),
        ("open http valve", ("beds/water.py", 5), 2),
        ("open_http_valve_3", ("beds/water.py", 5), 2),
        ("sowWinterRye", ("beds/seed.py", 1), 2),
        ("SowWinterRye", ("beds/seed.py", 1), 2),
    ):
        assert wanted in [(hit.path, hit.line) for hit in found(trig, query)[:best]], query


# paths

LANTERN = "export function lantern() {{ return {0!r}; }}\n"
ROUTES = (
    "app/(shop)/[id]/page.ts",
    "app/i/page.ts",
    "app/x.y-z/page.ts",
    "app/xay-z/page.ts",
    "app/a*b/page.ts",
    "app/aXb/page.ts",
)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("app/(shop)/[id]", {"app/(shop)/[id]/page.ts"}),
        ("app/(shop)/[id]/page.ts", {"app/(shop)/[id]/page.ts"}),
        ("app/x.y-z", {"app/x.y-z/page.ts"}),
        ("app/x.y-z/", {"app/x.y-z/page.ts"}),
        ("app/a*b", {"app/a*b/page.ts"}),
        ("./app/i", {"app/i/page.ts"}),
        ("app\\i", {"app/i/page.ts"}),
        ("app/*/page.ts", set(ROUTES) - {"app/(shop)/[id]/page.ts"}),
        ("app/**", set(ROUTES)),
        ("app/nowhere", set()),
        (".*", set()),
    ],
)
def test_a_path_that_exists_is_meant_literally(
    project: Callable[[Tree], Trig], given: str, wanted: set[str]
) -> None:
    trig = project({path: LANTERN.format(path) for path in ROUTES})
    ran = trig.ask("search", "--json", "--path", given, literal=("lantern",))
    assert {hit.path for hit in hits_of(ran.json)} == wanted
    if not wanted:
        assert f"no indexed file lies under {given}" in ran.json["notes"]
    within = trig.ask("search", "--json", literal=(f'lantern path:"{given}"',))
    assert {hit.path for hit in hits_of(within.json)} == wanted


@pytest.mark.parametrize(
    "given", ["src/bed.py", "./src/bed.py", "src//bed.py", "src/./bed.py", "src\\bed.py", "src/../src/bed.py"]
)
def test_one_file_has_one_outline_however_it_is_spelled(project: Callable[[Tree], Trig], given: str) -> None:
    trig = project({"src/bed.py": "def dig():\n    return 1\n"})
    assert trig.ask("outline", literal=(given,)).out == "1-2\tfunction def dig()\n"


def test_a_file_that_was_left_out_is_not_an_empty_one(project: Callable[[Tree], Trig]) -> None:
    trig = project({"photo.py": b"\0\1\2" * 500, "bed.py": "x = 1\n"})
    ran = trig.ask("outline", literal=("photo.py",))
    assert ran.status == 2 and "photo.py is not indexed: " in ran.err


# ranks

RIPE = {
    "src/ripeness.py": 'def is_ripe(fruit):\n    """Whether a fruit is ripe enough to be picked."""\n    return fruit.days > 90\n',
    "src/attest.py": 'def attest_harvest(fruit):\n    """Attest the weight of the harvest."""\n    return fruit\n',
    "src/test_ripeness.py": "".join(
        f'def test_ripe_fruit_is_picked_when_ripe_{n}():\n    """A ripe fruit is picked, case {n}."""\n    assert is_ripe({n})\n\n\n'
        for n in range(8)
    ),
    "tests/picking.py": "".join(
        f'def check_{n}():\n    """Ripe fruit picked: ripe enough {n}."""\n    assert True\n\n\n'
        for n in range(8)
    ),
    "web/__tests__/ripe.js": 'it("picks ripe fruit that is ripe enough", () => { expect(isRipe(fruit)).toBe(true); });\n',
    "web/ripe.spec.ts": 'describe("ripe fruit", () => { it("is picked when ripe enough", () => {}); });\n',
    "go/ripe_test.go": "package go\n\nfunc TestRipeFruitIsPicked(t *testing.T) {\n\t// ripe enough fruit is picked\n}\n",
    "java/src/test/java/RipeTest.java": "class RipeTest {\n  // a ripe fruit is picked when ripe enough\n  void ripeFruitIsPicked() {}\n}\n",
}


def test_tests_stand_below_what_they_test_unless_asked_for(project: Callable[[Tree], Trig]) -> None:
    trig = project(RIPE)
    assert paths(trig, "when is a fruit ripe enough to be picked")[0] == "src/ripeness.py"
    assert paths(trig, "attest the harvest")[0] == "src/attest.py"
    asked = paths(trig, "which test checks that ripe fruit is picked")
    assert asked[0] not in ("src/ripeness.py", "src/attest.py")


def test_copies_share_one_place_and_are_told(project: Callable[[Tree], Trig]) -> None:
    copy = 'def print_seed_key(store):\n    """Print the seed key, the seed key and the seed key."""\n    print(store)\n'
    tree = {f"samples/s{number}/demo.py": copy for number in range(30)}
    trig = project(
        tree
        | {
            "core/rotate.py": 'def rotate_seed_key(store):\n    """Rotate the seed key: retire the old one."""\n    return store\n'
        }
    )
    hits = found(trig, "how is the seed key rotated", "--limit", "5")
    assert hits[0].path == "core/rotate.py"
    copies = [hit for hit in hits if hit.path.startswith("samples/")]
    assert len(copies) == 1 and len(copies[0].raw["copies"]) == 29
    assert len(hits_of(trig.ask("symbol", "--json", literal=("print_seed_key",)).json)) == 30


def test_a_change_log_does_not_bury_the_code(project: Callable[[Tree], Trig]) -> None:
    log = "# Changes\n" + "".join(
        f"\n## 2.{n}\n\n- Frost alarm per bed: the frost alarm per bed rings earlier ({n}).\n"
        for n in range(50)
    )
    code = 'class Thermometer:\n    def watch(self, bed):\n        """Ring when a bed freezes."""\n        if bed.degrees < 0:\n            self.bell.ring()\n'
    readme = (
        "# Garden\n\nHas a frost alarm per bed.\n\n## Installation\n\nRun the installer, then plug it in.\n"
    )
    guide = "# Frost alarm\n\n" + "The frost alarm of a bed rings where it is heard. " * 40 + "\n"
    trig = project(
        {"CHANGES.md": log, "lib/thermometer.py": code, "README.md": readme, "docs/guide.md": guide}
    )
    hits = paths(trig, "where does the frost alarm of a bed ring", "--limit", "5")
    assert "lib/thermometer.py" in hits and hits.count("CHANGES.md") <= 2
    assert "README.md" in paths(trig, "how do I install it", "--limit", "5")[:2]


# sizes


def test_what_a_tool_wrote_stands_behind_what_a_person_wrote(project: Callable[[Tree], Trig]) -> None:
    bundle = '"use strict";var drawTrellis=function(a){return a};' + "".join(
        f"function a{n}(e,t){{return e(t)+{n}}}" for n in range(3000)
    )
    trig = project(
        {
            "dist/app.min.js": bundle,
            "dist/app.min.js.map": '{"version":3,"sources":["drawTrellis.js"],"mappings":"'
            + "AAAA," * 20000
            + '"}',
            "gen/api_pb2.py": "# Generated by a compiler. DO NOT EDIT!\n"
            + "".join(f"def drawTrellis_{n}(x):\n    return x\n" for n in range(500)),
            "package-lock.json": '{"lockfileVersion":3,"packages":{'
            + ",".join(f'"node_modules/p{n}":{{"version":"1.0.{n}"}}' for n in range(900))
            + "}}",
            "src/trellis.js": "export function drawTrellis(rows) {\n  return rows.map(knot);\n}\n\nfunction knot(row) {\n  return row * 2;\n}\n",
        }
    )
    assert paths(trig, "draw the trellis rows")[0] == "src/trellis.js"
    assert hits_of(trig.ask("symbol", "--json", literal=("drawTrellis",)).json)[0].path == "src/trellis.js"
    ledger = trig.ask("status", "--files", "--json").json["files_detail"]
    assert {row["path"]: row["reason"] for row in ledger} == {
        "dist/app.min.js": "minified",
        "dist/app.min.js.map": "source-map",
        "gen/api_pb2.py": "generated",
        "package-lock.json": "lock-file",
    }


def test_deep_nesting_costs_no_other_file(project: Callable[[Tree], Trig]) -> None:
    trig = project(
        {
            "deep.py": "V = " + "[" * 4000 + "]" * 4000 + "\n\n\ndef after_lists():\n    return 1\n",
            "sum.py": "S = "
            + " + ".join(f"x{n}" for n in range(5000))
            + "\n\n\ndef after_sum():\n    return 1\n",
            "deep.js": "export const v = "
            + "f(" * 3000
            + "1"
            + ")" * 3000
            + ";\nexport function afterCalls() {\n  return 1;\n}\n",
            "plain.py": "def plain():\n    return 1\n",
        }
    )
    ledger = {row["path"] for row in trig.ask("status", "--files", "--json").json.get("files_detail", ())}
    for path, name, line in (
        ("deep.py", "after_lists", 4),
        ("sum.py", "after_sum", 4),
        ("deep.js", "afterCalls", 2),
        ("plain.py", "plain", 1),
    ):
        hits = hits_of(trig.ask("symbol", "--json", literal=(name,)).json)
        assert [hit.line for hit in hits] == [line] or path in ledger, path
    assert "plain.py" not in ledger


@pytest.mark.parametrize("tokens", [256, 1000, 3000])
@pytest.mark.parametrize("form", ["--json", "--jsonl", "--color=never"])
def test_a_budget_holds_for_hard_text(project: Callable[[Tree], Trig], tokens: int, form: str) -> None:
    hard = {
        f"beds/土_{n}.py": f'def 果樹_{n}():\n    """果樹の水やり, watering table {n}."""\n    return {{\n'
        + "".join(f'        ("\\x1b🌧️{n}", {row}): {row}.{row:03d}*0x{row:x},\n' for row in range(80))
        + "    }\n"
        for n in range(6)
    }
    trig = project(hard | {"beds/wide.txt": "watering table " + "水\u202e" * 4000 + "\n"})
    ran = trig.ask("search", form, "--tokens", str(tokens), literal=("watering table",))
    assert ran.status == 0 and 0 < count(ran.out) <= tokens
