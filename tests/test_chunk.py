"""Chunks tile the file, keep to their limits and say where they stand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from trigpoint.indexing.chunk import ChunkLimits, chunk
from trigpoint.model import MODULE, Chunk, Import, Outline, SourceFile, Symbol
from trigpoint.text.lines import line_starts, slice_lines


def source(text: str, language: str = "python", path: str = "pkg/mod.py") -> SourceFile:
    return SourceFile(path, language, "0" * 64, text, "utf-8", len(text))


def symbol(name: str, kind: str, start: int, end: int, container: int = MODULE, **more: object) -> Symbol:
    fields = {"qualified": name, "name_line": start, "signature": "", **more}
    return Symbol(
        name=name.rpartition(".")[2],
        kind=kind,
        start=start,
        end=end,
        name_column=0,
        container=container,
        **fields,
    )


def body(lines: int, words: int = 6) -> str:
    return "".join(f"    total = alpha_{n} + {'beta + ' * (words - 2)}{n}\n" for n in range(lines))


def lines_of(text: str) -> list[str]:
    rows = text.split("\n")
    return rows[:-1] if rows[-1] == "" else rows


def assert_tiles(text: str, chunks: tuple[Chunk, ...]) -> None:
    rows = lines_of(text)
    line = 1
    for one in chunks:
        if one.derived:
            continue
        assert one.start == line and one.end >= one.start
        line = one.end + 1
    assert line == len(rows) + 1
    assert "".join(one.text for one in chunks if not one.derived) == text
    starts = line_starts(text)
    assert all(one.derived or one.text == slice_lines(text, starts, one.start, one.end) for one in chunks)


def test_a_function_that_fits_is_one_chunk_with_its_signature_in_the_header():
    text = "import os\n" * 60 + "def run(a, b):\n" + body(20)
    outline = Outline(
        symbols=(symbol("run", "function", 61, 81, signature="def run(a, b)"),),
        imports=(Import("os", "", "os", 1),),
    )
    module, run = chunk(source(text), outline, ChunkLimits())
    assert (module.kind, module.symbol, module.header) == ("module", MODULE, "pkg/mod.py")
    assert (run.start, run.end, run.kind, run.symbol, run.symbols) == (61, 81, "function", 0, (0,))
    assert run.header == "pkg/mod.py > def run(a, b)"
    assert run.part == run.parts == 0


def class_of(methods: int, lines: int) -> tuple[str, tuple[Symbol, ...]]:
    text = 'class Tide(Base):\n    """Heights over time.\n\n    More."""\n    unit = "m"\n\n'
    symbols = [
        symbol(
            "Tide", "class", 1, 6 + methods * (lines + 2) - 1, signature="class Tide(Base)", doc="Heights."
        )
    ]
    for n in range(methods):
        at = 7 + n * (lines + 2)
        more = {"qualified": f"Tide.m{n}", "signature": f"def m{n}(self)"}
        symbols.append(symbol(f"m{n}", "method", at, at + lines, 0, **more))
        text += f"    def m{n}(self):\n" + body(lines) + "\n"
    return text, tuple(symbols)


def test_a_class_that_fits_is_one_chunk():
    text, symbols = class_of(3, 4)
    (whole,) = chunk(source(text), Outline(symbols), ChunkLimits())
    assert (whole.kind, whole.symbols) == ("class", (0, 1, 2, 3))


def test_a_big_class_becomes_a_skeleton_and_its_members():
    text, symbols = class_of(6, 14)
    chunks = chunk(source(text), Outline(symbols), ChunkLimits())
    assert_tiles(text, chunks)
    assert [one.header for one in chunks if one.kind == "method"] == [
        f"pkg/mod.py > Tide > def m{n}(self)" for n in range(6)
    ]
    (skeleton,) = [one for one in chunks if one.derived]
    assert chunks[-1] is skeleton
    assert (skeleton.kind, skeleton.start, skeleton.end, skeleton.symbol) == (
        "skeleton",
        1,
        symbols[0].end,
        0,
    )
    assert skeleton.text.split("\n") == [
        "class Tide(Base):",
        '    """Heights over time.',
        '    More."""',
        '    unit = "m"',
        *[f"    def m{n}(self) … lines {7 + n * 16}-{21 + n * 16}" for n in range(6)],
    ]


def test_a_skeleton_keeps_to_the_limit_and_names_what_it_leaves_out():
    text, symbols = class_of(90, 3)
    *_, skeleton = chunk(source(text), Outline(symbols), ChunkLimits(max_tokens=200))
    assert skeleton.tokens <= 220
    rest = skeleton.text.split("\n")[-1]
    assert "more, lines " in rest and rest.endswith(f"-{symbols[0].end}")


def test_a_huge_function_is_cut_at_statements_and_each_part_carries_the_signature():
    text = "def run(a):\n" + "".join(
        f"    if a == {n}:\n        call(\n            {n},\n        )\n" for n in range(400)
    )
    statements = tuple(range(2, 1602, 4))
    run = symbol("run", "function", 1, 1601, signature="def run(a)", doc="Runs it.")
    chunks = chunk(source(text), Outline((run,), splits=statements), ChunkLimits())
    assert_tiles(text, chunks)
    assert len(chunks) > 2
    assert all(one.start in statements for one in chunks[1:])
    assert [(one.part, one.parts) for one in chunks] == [(n + 1, len(chunks)) for n in range(len(chunks))]
    assert chunks[0].header == "pkg/mod.py > def run(a)"
    assert all(one.header == "pkg/mod.py > def run(a)" for one in chunks[1:])
    assert [one.symbols for one in chunks] == [(0,), *[()] * (len(chunks) - 1)]
    assert all(one.tokens <= 800 for one in chunks)
    assert max(one.tokens for one in chunks) < 2 * min(one.tokens for one in chunks)


def test_without_statements_a_cut_falls_on_a_blank_line_and_else_anywhere():
    block = "".join(f"value_{n} = {n} * factor\n" for n in range(30)) + "\n"
    outline = Outline(imports=(Import("os", "", "os", 1),))
    blanks = chunk(source(block * 20), outline, ChunkLimits())
    assert_tiles(block * 20, blanks)
    assert all(one.start % 31 == 1 for one in blanks)
    solid = "".join(f"value_{n} = {n} * factor\n" for n in range(400))
    pieces = chunk(source(solid), outline, ChunkLimits())
    assert_tiles(solid, pieces)
    assert all(one.tokens <= 800 for one in pieces)


def test_a_single_huge_line_stays_one_chunk_and_its_tokens_tell():
    text = "a = 1\ndata = '" + "x" * 50_000 + "'\nb = 2\n"
    chunks = chunk(source(text), Outline(imports=(Import("os", "", "os", 1),)), ChunkLimits())
    assert_tiles(text, chunks)
    assert max(one.tokens for one in chunks) > 15_000


def many(count: int) -> tuple[str, tuple[Symbol, ...]]:
    text = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(count))
    return text, tuple(symbol(f"f{n}", "function", 4 * n + 1, 4 * n + 2) for n in range(count))


def test_min_tokens_decides_how_many_neighbours_are_joined():
    text, symbols = many(40)
    counts = {least: chunk(source(text), Outline(symbols), ChunkLimits(800, least)) for least in (0, 20, 100)}
    assert len(counts[0]) == 40
    assert 40 > len(counts[20]) > len(counts[100]) > 1
    for least, chunks in counts.items():
        assert_tiles(text, chunks)
        assert all(one.tokens >= least for one in chunks[:-1])
    joined = counts[20][0]
    assert joined.kind == "function" and joined.symbol == MODULE and len(joined.symbols) > 1
    assert joined.header.startswith("pkg/mod.py > f0, f1")


def test_max_tokens_decides_what_is_taken_apart():
    text = "def run(a):\n" + body(60)
    run = (symbol("run", "function", 1, 61),)
    sizes = [len(chunk(source(text), Outline(run), ChunkLimits(most))) for most in (2000, 800, 200, 100)]
    assert sizes == sorted(sizes) and sizes[0] == 1 and sizes[-1] > sizes[1] >= 1


def test_neighbours_of_different_containers_are_not_joined():
    text, symbols = class_of(60, 2)
    after = symbols[0].end + 1
    text += "def tail():\n    pass\n"
    symbols = (*symbols, symbol("tail", "function", after, after + 1))
    chunks = chunk(source(text), Outline(symbols), ChunkLimits())
    (tail,) = [one for one in chunks if len(symbols) - 1 in one.symbols]
    assert tail.symbols == (len(symbols) - 1,)


def test_blank_lines_and_closers_stay_with_what_stands_before():
    text = "class A {\n" + "".join(f"  m{n}() {{\n" + body(12) + "  }\n\n" for n in range(5)) + "}\n\n\n"
    symbols = [symbol("A", "class", 1, 77)]
    symbols += [symbol(f"m{n}", "method", 2 + 15 * n, 15 + 15 * n, 0) for n in range(5)]
    tiles = [one for one in chunk(source(text), Outline(tuple(symbols)), ChunkLimits(400)) if not one.derived]
    assert_tiles(text, tuple(tiles))
    assert [(one.start, one.end) for one in tiles[-2:]] == [(47, 61), (62, 79)]


def test_text_without_symbols_is_cut_into_windows_at_blank_lines():
    text = "".join(f"line {n}\n" if n % 9 else "\n" for n in range(1, 501))
    chunks = chunk(source(text, "text", "notes.txt"), Outline(), ChunkLimits())
    assert_tiles(text, chunks)
    assert {one.kind for one in chunks} == {"window"}
    assert all(one.end - one.start < 60 for one in chunks)
    assert all((one.start - 1) % 9 == 0 for one in chunks)


def test_an_empty_file_has_no_chunks_and_a_blank_one_has_one():
    assert chunk(source(""), Outline(), ChunkLimits()) == ()
    (blank,) = chunk(source("\n\n"), Outline(), ChunkLimits())
    assert (blank.start, blank.end, blank.text, blank.tokens) == (1, 2, "\n\n", 0)


def test_only_lf_ends_a_line_and_crlf_is_kept():
    text = "a\x0cb\x0bc\x85d\u2028e\rf\r\ng\r\nh"
    (one,) = chunk(source(text), Outline(), ChunkLimits())
    assert (one.start, one.end, one.text) == (1, 3, text)


def test_the_same_text_has_the_same_digest_wherever_it_stands():
    text, symbols = many(1)
    here = chunk(source(text, path="a.py"), Outline(symbols), ChunkLimits())[0]
    moved = (symbol("f0", "function", 201, 202),)
    there = chunk(
        source(f"{'import os' + chr(10):s}" * 200 + text, path="b.py"), Outline(moved), ChunkLimits()
    )[-1]
    assert here.digest == there.digest and len(here.digest) == 32


def test_nested_deeper_than_any_stack_still_tiles():
    depth = 3000
    text = "".join("x" * 40 + "{\n" for _ in range(depth)) + "}\n" * depth
    symbols = tuple(symbol(f"f{n}", "function", n + 1, 2 * depth - n) for n in range(depth))
    assert_tiles(text, chunk(source(text), Outline(symbols), ChunkLimits()))


def test_lone_surrogates_are_no_trouble():
    text = "name = '\udce9'\n"
    (one,) = chunk(source(text), Outline(), ChunkLimits())
    assert one.text == text


KINDS = ("function", "method", "class", "variable", "section", "key", "namespace")
LINE = st.text(st.sampled_from("ab{} \t\r\x0c\u2028é漢"), max_size=30)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[str, Outline, ChunkLimits]:
    rows = draw(st.lists(LINE, max_size=60))
    text = "\n".join(rows) + draw(st.sampled_from(["", "\n", "\n\n"]))
    place = st.integers(-2, 70)
    spans = draw(
        st.lists(st.tuples(place, place, place, st.sampled_from(KINDS), st.integers(-1, 8)), max_size=12)
    )
    symbols = tuple(
        Symbol(f"s{n}", f"A.s{n}", kind, start, end, name, 0, container)
        for n, (start, end, name, kind, container) in enumerate(spans)
    )
    splits = tuple(sorted(draw(st.sets(st.integers(1, 60), max_size=10))))
    limits = ChunkLimits(draw(st.integers(1, 60)), draw(st.integers(0, 30)))
    return text, Outline(symbols, splits=splits), limits


@settings(max_examples=400, deadline=None)
@given(layouts())
def test_every_line_is_in_exactly_one_chunk_whatever_the_outline_says(case: tuple[str, Outline, ChunkLimits]):
    text, outline, limits = case
    chunks = chunk(source(text), outline, limits)
    if not text:
        assert chunks == ()
        return
    assert_tiles(text, chunks)
    tiles = [one for one in chunks if not one.derived]
    held = [index for one in tiles for index in one.symbols]
    assert sorted(held) == list(range(len(outline.symbols)))
    for one in tiles:
        for index in one.symbols:
            name_line = min(max(outline.symbols[index].name_line, 1), len(lines_of(text)))
            assert one.start <= name_line <= one.end
        telling = [row for row in one.text.split("\n") if any(map(str.isalnum, row))]
        assert one.tokens <= limits.max_tokens + 4 or len(telling) <= 1  # 4: braces stay with what they close
