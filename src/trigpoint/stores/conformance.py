"""What every store must do, as checks that any test runner can call.

Each check takes a function that opens the same, at first empty, store again and again; it raises AssertionError.
Order is compared only where it is promised or where no formula could rank otherwise.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from threading import Thread

from trigpoint.errors import StoreLockedError, UsageError
from trigpoint.model import INDEXED, MODULE, FileRecord, Filters, Level, Outcome, Outline, Stat, Symbol
from trigpoint.ports import Store
from trigpoint.stores.samples import ODD_PATHS, fill, found, piece_chunk, prose, record, sample

Opener = Callable[[], Store]


def an_empty_store_answers(open_store: Opener) -> None:
    """Generation 0 is a sound, empty index."""
    store = open_store()
    snapshot = store.snapshot()
    assert snapshot.generation == 0
    assert dict(snapshot.counts()) == {"files": 0, "symbols": 0, "chunks": 0, "references": 0}
    assert not list(snapshot.files())
    assert snapshot.file("a.py") is None
    assert snapshot.text("a.py") == snapshot.meta("x") == ""
    assert not found(snapshot, "anything")
    assert not snapshot.symbols_with(["a"], 5)
    assert list(store.check()) == []


def what_is_put_comes_back(open_store: Opener) -> None:
    """Every field of a record survives."""
    first = sample("src/a.py", "one", "two")
    skipped = FileRecord(
        "big.bin",
        "",
        "0" * 64,
        9,
        0,
        "",
        Outcome(Level.SKIPPED, "binary", "holds NUL"),
        frozenset(),
        Outline(),
        (),
        "",
    )
    assert fill(open_store(), first, skipped) == 1
    snapshot = open_store().snapshot()
    assert [row.path for row in snapshot.files()] == ["big.bin", "src/a.py"]
    row = snapshot.file("src/a.py")
    assert row is not None
    assert [*snapshot.languages()] == [(one.path, one.language, one.marks) for one in snapshot.files()]
    assert dict(snapshot.stats()) == {
        one.path: one.stat.text() if one.stat else "" for one in snapshot.files()
    }
    assert snapshot.contents() == {one.path: one.digest for one in snapshot.files()}
    assert snapshot.passages().keys() == {one.id for one in snapshot.files()}
    assert (row.language, row.digest, row.size, row.lines) == ("python", first.digest, first.size, 5)
    assert (row.encoding, row.outcome, row.stat) == ("utf-8", INDEXED, first.stat)
    other = snapshot.file("big.bin")
    assert other is not None
    assert other.outcome == skipped.outcome
    assert other.stat is None
    assert snapshot.text("src/a.py") == first.text
    assert tuple(item.symbol for item in snapshot.symbols_of("src/a.py")) == first.outline.symbols
    assert tuple(item.chunk for item in snapshot.chunks_of("src/a.py")) == first.chunks
    assert tuple(snapshot.imports_of("src/a.py")) == first.outline.imports
    assert tuple(snapshot.references_of("src/a.py")) == first.outline.references
    assert tuple(snapshot.bindings_of("src/a.py")) == first.outline.bindings
    assert dict(snapshot.counts()) == {"files": 2, "symbols": 2, "chunks": 3, "references": 2}
    assert sum(tally.files for tally in snapshot.tallies()) == 2
    assert {(one.language, one.level, one.reason) for one in snapshot.tallies()} == {
        (row.language, row.outcome.level.value, row.outcome.reason) for row in snapshot.files()
    }


def chunks_know_their_symbol(open_store: Opener) -> None:
    """The filterable metadata of a chunk, and its place."""
    inner = Symbol(
        "run", "Job.run", "method", 2, 3, 2, 8, container=0, complexity=4, modifiers=("async",), bases=("X",)
    )
    outer = Symbol("Job", "Job", "class", 1, 3, 1, 6, doc="Does — it.", decorators=("final",))
    text = "class Job:\n    def run(self):\n        pass"
    body = piece_chunk("j.py", text[11:], 2, 3, 1, (1,))
    skeleton = piece_chunk("j.py", "class Job:\n    def run(self): ...", 1, 3, 0, (0,))._replace(
        derived=True, kind="skeleton"
    )
    head = piece_chunk("j.py", text[:11], 1, 1, 0, (0,))
    fill(open_store(), record("j.py", text, Outline(symbols=(outer, inner)), (skeleton, head, body)))
    snapshot = open_store().snapshot()
    assert tuple(item.symbol for item in snapshot.symbols_of("j.py")) == (outer, inner)
    assert [item.chunk for item in snapshot.chunks_of("j.py")] == [head, body, skeleton]
    stored = snapshot.chunk_at("j.py", 3)
    assert stored is not None
    assert stored.chunk == body
    assert (stored.name, stored.qualified, stored.symbol_kind) == ("run", "Job.run", "method")
    assert (stored.complexity, stored.parent) == (4, "Job")
    at_top = snapshot.chunk_at("j.py", 1)
    assert at_top is not None
    assert at_top.chunk == head
    assert snapshot.chunk_at("j.py", 9) is None
    assert [item.chunk for item in snapshot.chunks([stored.id, 1 << 40, at_top.id])] == [body, head]
    bare = snapshot.chunks([stored.id], text=False)
    assert bare == [stored._replace(chunk=body._replace(text="", header="", tokens=0), parent="")]
    job, run = (item.id for item in snapshot.symbols_of("j.py"))
    assert snapshot.defining([run, job, 1 << 40]) == {run: stored.id, job: at_top.id}
    assert snapshot.first_chunks(["j.py", "none.py"]) == {"j.py": at_top.id}


def nothing_shows_before_publish(open_store: Opener) -> None:
    """A snapshot never changes; leaving without publish() undoes everything."""
    store = open_store()
    fill(store, sample("a.py", "alpha"))
    before = store.snapshot()
    with store.writer(5.0) as writer:
        writer.put([sample("b.py", "beta"), sample("a.py", "changed")])
        writer.delete(["a.py"])
        writer.set_meta("k", "v")
        assert found(open_store().snapshot(), "alpha") == ["a.py:2"]
    assert found(store.snapshot(), "alpha") == ["a.py:2"]
    assert not found(store.snapshot(), "beta")
    assert store.snapshot().generation == before.generation == 1
    fill(store, sample("a.py", "changed"))
    assert found(before, "alpha") == ["a.py:2"], "an old snapshot changed"
    assert before.text("a.py") == sample("a.py", "alpha").text
    assert not found(store.snapshot(), "alpha")
    before.close()
    assert list(store.check()) == []


def one_writer_publishes_often(open_store: Opener) -> None:
    """Several publications from one writer, each whole."""
    store, words = open_store(), ("amber", "birch", "cedar", "dune")
    with store.writer(5.0) as writer:
        for number, word in enumerate(words, 1):
            writer.put([sample(f"f{number}.py", "steady"), sample("same.py", word)])
            assert writer.publish() == number
            snapshot = store.snapshot()
            assert snapshot.generation == number
            assert [place for place in found(snapshot, " ".join(words)) if "same" in place] == ["same.py:2"]
            assert found(snapshot, word) == ["same.py:2"]
            assert snapshot.counts()["files"] == number + 1
    assert list(store.check()) == []


def replaced_and_deleted_files_are_gone(open_store: Opener) -> None:
    """Nothing of an old record is found by any way in; putting the same again changes nothing."""
    store = open_store()
    fill(store, sample("a.py", "oldTitle", "kept"), sample("b.py", "other"))
    fill(store, sample("a.py", "newName", "kept"), sample("a.py", "newName", "kept"))
    with store.writer(5.0) as writer:
        writer.delete(["b.py", "never.py"])
        writer.publish()
    snapshot = store.snapshot()
    assert not snapshot.symbols_named("oldTitle")
    assert not snapshot.symbols_with(["old"], 9)
    assert not snapshot.files_referring("call_oldTitle")
    assert not found(snapshot, "oldTitle")
    assert not found(snapshot, "other")
    assert not snapshot.paths_with("b", 9)
    assert [item.symbol.name for item in snapshot.symbols_named("kept")] == ["kept"]
    assert found(snapshot, "newName") == ["a.py:2"]
    assert dict(snapshot.counts()) == {"files": 1, "symbols": 2, "chunks": 3, "references": 2}
    frequency = snapshot.document_frequency(["kept", "neverwritten"])
    assert frequency["kept"] >= 1, (
        "replaced chunks may be counted until the postings are merged, present ones must be"
    )
    assert frequency["neverwritten"] == 0
    with store.writer(5.0) as writer:
        writer.clear()
        writer.put([sample("c.py", "third")])
        writer.publish()
    assert found(store.snapshot(), "kept third") == ["c.py:2"]
    assert list(store.check()) == []


def small_values_and_stats(open_store: Opener) -> None:
    """set_meta, touch and clear."""
    store = open_store()
    fill(store, sample("a.py", "alpha"))
    with store.writer(5.0) as writer:
        writer.set_meta("head", "abc")
        writer.touch({"a.py": Stat(5, 6, 7, 8), "none.py": Stat(1, 1, 1, 1)})
        writer.publish()
    snapshot = store.snapshot()
    row = snapshot.file("a.py")
    assert row is not None
    assert (snapshot.meta("head"), row.stat) == ("abc", Stat(5, 6, 7, 8))
    assert found(snapshot, "alpha") == ["a.py:2"]


def names_are_found_by_parts_and_whole(open_store: Opener) -> None:
    """Camel, snake, acronyms, digits, CJK, accents, stems; an exact name comes first."""
    store = open_store()
    noise = [sample(f"noise/n{number}.py", f"get_thing_{number}", f"user{number}") for number in range(8)]
    fill(
        store,
        *noise,
        sample("camel.py", "getUserById"),
        sample("snake.py", "get_user_by_id"),
        sample("http.py", "HTTPServer2"),
        sample("auth.py", "AuthenticationService"),
        sample("auth2.py", "authentication_of_a_service"),
        prose("doc.md", "获取用户列表 and naïve parsing of connections\n"),
    )
    snapshot = store.snapshot()
    assert set(found(snapshot, "getUserById")[:2]) == {"camel.py:2", "snake.py:2"}
    assert found(snapshot, "get_user_by_id")[0] == "snake.py:2"
    assert found(snapshot, "HTTPServer2")[0] == "http.py:2"
    assert found(snapshot, "http server") == ["http.py:2", *found(snapshot, "server http")[1:]]
    assert found(snapshot, "AuthenticationService")[0] == "auth.py:2"
    assert found(snapshot, "用户") == ["doc.md:1"]
    assert found(snapshot, "列表") == ["doc.md:1"]
    assert found(snapshot, "naive") == ["doc.md:1"]
    assert found(snapshot, "connection") == ["doc.md:1"]
    assert found(snapshot, "parse") == ["doc.md:1"]
    assert not found(snapshot, "zebra")
    assert not found(snapshot, '" OR body:* NEAR( ~')


def symbols_are_found_by_name_and_words(open_store: Opener) -> None:
    """Exact, folded, by words, in the promised order."""
    store = open_store()
    fill(store, sample("a.py", "parseUrl", "parse_url_list"), sample("b.py", "parse_url", "PARSE"))
    snapshot = store.snapshot()
    assert [item.path for item in snapshot.symbols_named("parseUrl")] == ["a.py"]
    assert {item.symbol.name for item in snapshot.symbols_named("PARSE_url", fold=True)} == {
        "parseUrl",
        "parse_url",
    }
    assert len(snapshot.symbols_named("parse_url", fold=True, limit=1)) == 1
    several = snapshot.definitions(["PARSE", "none", "parseUrl", "PARSE"], 5)
    assert [item.symbol.name for item in several] == ["PARSE", "parseUrl"]
    assert list(snapshot.symbols_with(["parse", "url", "parse"], 9)) == [
        ("parseUrl", 2),
        ("parse_url", 2),
        ("parse_url_list", 2),
        ("PARSE", 1),
    ]
    assert list(snapshot.symbols_with(["parseurl"], 9)) == [("parseUrl", 1), ("parse_url", 1)]
    assert len(snapshot.symbols_with(["parse"], 2)) == 2
    assert list(snapshot.files_referring("call_parseUrl")) == ["a.py"]
    assert list(snapshot.files_referring("call_parseurl")) == []
    assert list(snapshot.files_referring("")) == []


def odd_paths_survive(open_store: Opener) -> None:
    """Spaces, quotes, newlines, backslashes, CJK, bytes that are no UTF-8."""
    store = open_store()
    fill(store, *(sample(path, f"odd_{number}") for number, path in enumerate(ODD_PATHS)))
    snapshot = store.snapshot()
    expected = sorted(ODD_PATHS, key=lambda path: path.encode("utf-8", "surrogateescape"))
    assert [row.path for row in snapshot.files()] == expected
    for folder in {path[: path.rfind("/") + 1] for path in ODD_PATHS}:
        inside = {path[len(folder) :] for path in ODD_PATHS if path.startswith(folder)}
        assert snapshot.inside(folder).keys() == {name for name in inside if "/" not in name}
    for number, path in enumerate(ODD_PATHS):
        assert found(snapshot, f"odd_{number}")[0] == f"{path}:2"
        assert [item.path for item in snapshot.symbols_named(f"odd_{number}")] == [path]
        assert next(item.chunk.header for item in snapshot.chunks_of(path)) == f"{path} > piece"
        assert path in snapshot.files_referring(f"call_odd_{number}")
    assert list(snapshot.paths_with("文件", 5)) == ["目录/文件.py"]
    with store.writer(5.0) as writer:
        writer.delete(ODD_PATHS)
        writer.publish()
    assert not list(store.snapshot().files())


def filters_select(open_store: Opener) -> None:
    """Language, kind, path, name, complexity; lexical() and passes() agree."""
    store = open_store()
    fill(
        store,
        sample("app/(shop)/[id]/page.ts", "lamp", language="TypeScript", kind="method"),
        sample("app/shop/page.ts", "lamp", language="typescript"),
        sample("app/x.y-z/page.py", "lamp", "lampTwo", "lamp_three"),
        sample("tests/test_it.py", "lamp"),
        sample("lib/tests/deep/it.py", "lamp"),
    )
    snapshot = store.snapshot()
    for filters, expected in _FILTERED:
        got = set(found(snapshot, "lamp lampTwo lamp_three", filters))
        assert got == set(expected.split()), f"{filters} gave {sorted(got)}"
        everywhere = [chunk.id for row in snapshot.files() for chunk in snapshot.chunks_of(row.path)]
        passing = snapshot.passing(everywhere, filters)
        assert set(snapshot.selected(filters, len(everywhere)) or ()) == passing, filters
        assert not passing or snapshot.selected(filters, len(passing) - 1) is None
        for path in (row.path for row in snapshot.files()):
            shown = snapshot.chunks_of(path)[1:]
            passing = snapshot.passing([chunk.id for chunk in shown], filters)
            assert passing == {chunk.id for chunk in shown if snapshot.passes(chunk, filters)}
            for chunk in shown:
                assert snapshot.passes(chunk, filters) == (f"{path}:{chunk.chunk.start}" in got), (
                    filters,
                    path,
                )
    try:
        found(snapshot, "lamp", Filters(complexity=("many",)))
    except UsageError:
        return
    raise AssertionError("a bad comparison was taken")


_TWO = "app/x.y-z/page.py:4"
_THREE = "app/x.y-z/page.py:6"
_PAGE = f"app/x.y-z/page.py:2 {_TWO} {_THREE}"
_SHOP = "app/(shop)/[id]/page.ts:2"
_PLAIN = "app/shop/page.ts:2"
_TEST = "tests/test_it.py:2"
_DEEP = "lib/tests/deep/it.py:2"
_FILTERED: Sequence[tuple[Filters, str]] = (
    (Filters(languages=("TYPESCRIPT",)), f"{_SHOP} {_PLAIN}"),
    (Filters(kinds=("Method",)), _SHOP),
    (Filters(paths=("app/(shop)/[id]",)), _SHOP),
    (Filters(paths=("app/x.y-z/",)), _PAGE),
    (Filters(paths=(".\\app\\x.y-z\\page.py",)), _PAGE),
    (Filters(paths=("app/nowhere",)), ""),
    (Filters(paths=("tests",)), _TEST),
    (Filters(not_paths=("tests",)), f"{_SHOP} {_PLAIN} {_PAGE}"),
    (Filters(paths=("shop",)), _PLAIN),
    (Filters(paths=("**/tests/**",)), f"{_TEST} {_DEEP}"),
    (Filters(paths=("*.ts",)), f"{_SHOP} {_PLAIN}"),
    (Filters(paths=("app/*/page.*",)), f"{_PLAIN} {_PAGE}"),
    (Filters(paths=("app",), not_paths=("app/shop",), languages=("typescript",)), _SHOP),
    (Filters(names=("lampTwo",)), _TWO),
    (Filters(names=("Box.lamp_*",)), _THREE),
    (Filters(names=("lamp?*",)), f"{_TWO} {_THREE}"),
    (Filters(complexity=(">1",)), f"{_TWO} {_THREE}"),
    (Filters(complexity=(">=2", "<3")), _TWO),
    (Filters(complexity=("3",)), _THREE),
)


def small_symbols_of_a_chunk_are_selected(open_store: Opener) -> None:
    """Kind, name and complexity pass a chunk by any one symbol whose name line it holds, and by one symbol together."""
    names = [("Box", "class", 0), ("open", "method", 9), ("shut", "method", 1), ("SIZE", "constant", 0)]
    symbols = tuple(
        Symbol(name, name, kind, line, line, line, 0, complexity=complexity)
        for line, (name, kind, complexity) in enumerate(names, start=1)
    )
    text = "".join(f"lamp {name}\n" for name, _, _ in names)
    merged = piece_chunk("m.py", text, 1, 4, MODULE, (0, 1, 2, 3))
    other = piece_chunk("o.py", "lamp\n", 1, 1, MODULE, ())
    whole = record("m.py", text, Outline(symbols=symbols), (merged,))
    fill(open_store(), whole, record("o.py", "lamp\n", Outline(), (other,)))
    snapshot = open_store().snapshot()
    for filters, passes in _HELD:
        got = found(snapshot, "lamp", filters)
        assert ("m.py:1" in got) == passes, f"{filters} gave {got}"
        assert snapshot.passes(snapshot.chunks_of("m.py")[0], filters) == passes, filters


_HELD: Sequence[tuple[Filters, bool]] = (
    (Filters(kinds=("class",)), True),
    (Filters(kinds=("Method",), names=("shut",)), True),
    (Filters(kinds=("module",)), True),
    (Filters(names=("SIZ?",), complexity=("0",)), True),
    (Filters(complexity=(">5",)), True),
    (Filters(kinds=("class",), complexity=(">5",)), False),
    (Filters(names=("shut",), complexity=(">5",)), False),
    (Filters(kinds=("function",)), False),
    (Filters(names=("lid",)), False),
)


def filtered_search_gives_the_right_top(open_store: Opener) -> None:
    """A filter that few pass still gives as many as are asked for, in the order of the unfiltered search."""
    store = open_store()
    many = [
        sample(f"src/m{number}.py", *(f"common_{number}_{part}" for part in range(30)))
        for number in range(60)
    ]
    rare = [sample(f"rare/r{number}.py", f"common_{number}", body="common pass") for number in range(12)]
    fill(store, *many, *rare)
    snapshot = store.snapshot()
    everything = found(snapshot, "common", limit=5000)
    assert len(everything) == 60 * 30 + 12
    expected = [place for place in everything if place.startswith("rare/")]
    assert found(snapshot, "common", Filters(paths=("rare",), kinds=("function",)), 5) == expected[:5]
    assert found(snapshot, "common", Filters(names=("common_7_3",)), 5) == ["src/m7.py:8"]
    assert found(snapshot, "common", limit=7) == everything[:7]


def encoding_elsewhere_is_the_same(open_store: Opener) -> None:
    """The encoder survives a trip to another process, and so does what it makes."""
    store = open_store()
    encoder = pickle.loads(pickle.dumps(store.encoder()))
    items = [pickle.loads(pickle.dumps(encoder(sample(path, "far")))) for path in ("a.py", *ODD_PATHS)]
    with store.writer(5.0) as writer:
        writer.put_encoded(items)
        writer.publish()
    snapshot = store.snapshot()
    assert tuple(item.chunk for item in snapshot.chunks_of("a.py")) == sample("a.py", "far").chunks
    assert len(found(snapshot, "far")) == 1 + len(ODD_PATHS)


def a_second_writer_waits(open_store: Opener) -> None:
    """Two writers queue; one that may not wait is told; readers go on."""
    store, other = open_store(), open_store()
    fill(store, sample("a.py", "alpha"))
    with store.writer(5.0) as writer:
        writer.put([sample("b.py", "beta")])
        try:
            with other.writer(0.0):
                raise AssertionError("two writers at once")
        except StoreLockedError as error:
            assert error.hint
        waiting = Thread(target=fill, args=(other, sample("c.py", "gamma")))
        waiting.start()
        assert found(other.snapshot(), "alpha") == ["a.py:2"]
        writer.publish()
    waiting.join(20)
    assert not waiting.is_alive()
    assert [row.path for row in store.snapshot().files()] == ["a.py", "b.py", "c.py"]


def readers_see_whole_generations(open_store: Opener) -> None:
    """While a writer replaces two files at a time, no reader ever sees one of them without the other."""
    store = open_store()
    fill(store, sample("one.py", "turn0"), sample("two.py", "turn0"))

    def write() -> None:
        with open_store().writer(20.0) as writer:
            for number in range(1, 15):
                writer.put([sample("one.py", f"turn{number}"), sample("two.py", f"turn{number}")])
                writer.publish()

    writing = Thread(target=write)
    writing.start()
    seen = 0
    while writing.is_alive() or not seen:
        snapshot = store.snapshot()
        name = snapshot.symbols_of("one.py")[0].symbol.name
        assert sorted(found(snapshot, name)) == ["one.py:2", "two.py:2"], (snapshot.generation, name)
        assert [item.symbol.name for item in snapshot.symbols_of("two.py")] == [name]
        snapshot.close()
        seen += 1
    writing.join()
    assert store.snapshot().symbols_of("one.py")[0].symbol.name == "turn14"


CHECKS: Sequence[Callable[[Opener], None]] = (
    an_empty_store_answers,
    what_is_put_comes_back,
    chunks_know_their_symbol,
    nothing_shows_before_publish,
    one_writer_publishes_often,
    replaced_and_deleted_files_are_gone,
    small_values_and_stats,
    names_are_found_by_parts_and_whole,
    symbols_are_found_by_name_and_words,
    odd_paths_survive,
    filters_select,
    small_symbols_of_a_chunk_are_selected,
    filtered_search_gives_the_right_top,
    encoding_elsewhere_is_the_same,
    a_second_writer_waits,
    readers_see_whole_generations,
)
"""All checks; a store passes when none of them raises."""
