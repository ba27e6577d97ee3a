"""What every store must do with edges, as checks like those of conformance.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trigpoint.model import MODULE, Edge, StoredEdge
from trigpoint.ports import Snapshot, Store
from trigpoint.stores.samples import fill, sample

Opener = Callable[[], Store]


def _call(
    path: str,
    source: int,
    target_path: str,
    target: int,
    line: int = 3,
    kind: str = "calls",
    confidence: float = 0.95,
) -> Edge:
    return Edge(path, source, target_path, target, kind, confidence, line, 4, "import")


def linked(store: Store, *edges: Edge) -> Snapshot:
    """Put these edges, by the file that they leave, and publish."""
    with store.writer(5.0) as writer:
        for path in dict.fromkeys(edge.path for edge in edges):
            writer.put_edges(path, [edge for edge in edges if edge.path == path])
        writer.publish()
    return store.snapshot()


def ends(snapshot: Snapshot, edges: Sequence[StoredEdge]) -> list[tuple[str, str, str]]:
    """Source, kind and target of edges, by name."""
    names = {one.id: one.symbol.name for one in snapshot.nodes([node for edge in edges for node in edge[:2]])}
    return [(names[edge.source], edge.kind, names[edge.target]) for edge in edges]


def edges_come_back_in_both_directions(open_store: Opener) -> None:
    """By source and by target, by kind and confidence, and all of them in order of their sites."""
    store = open_store()
    fill(store, sample("a.py", "alpha", "beta"), sample("b.py", "gamma"))
    given = [
        _call("a.py", 0, "b.py", 0),
        _call("a.py", 0, "b.py", 0, line=9),
        _call("a.py", 1, "a.py", 0, kind="references", confidence=0.45),
        _call("a.py", MODULE, "b.py", MODULE, line=1, kind="imports"),
        _call("b.py", 0, "a.py", 1),
    ]
    snapshot = linked(store, *given)
    assert list(snapshot.edges()) == [given[3], given[0], given[2], given[1], given[4]]
    alpha, beta, gamma = snapshot.node("a.py", 0), snapshot.node("a.py", 1), snapshot.node("b.py", 0)
    out = snapshot.edges_from([alpha])
    assert [(edge.target, edge.line, edge.column, edge.resolved_by) for edge in out] == [
        (gamma, 3, 4, "import"),
        (gamma, 9, 4, "import"),
    ]
    assert ends(snapshot, snapshot.edges_to([gamma], ("calls",))) == [("alpha", "calls", "gamma")] * 2
    assert ends(snapshot, snapshot.edges_to([alpha, beta], ("references", "calls"), 0.4)) == [
        ("beta", "references", "alpha"),
        ("gamma", "calls", "beta"),
    ]
    assert snapshot.edges_to([alpha], ("references",), 0.5) == []
    top = snapshot.node("a.py")
    assert ends(snapshot, snapshot.edges_from([top], ("imports",))) == [("a.py", "imports", "b.py")]
    assert list(snapshot.paths_of([alpha, gamma, top])) == ["a.py", "b.py"]
    assert snapshot.homes([alpha, gamma, top, 1]) == {alpha: "a.py", gamma: "b.py", top: "a.py"}
    assert sorted(set(snapshot.arcs(0.5))) == sorted(
        [
            (alpha, gamma, "calls", 0.95),
            (top, snapshot.node("b.py"), "imports", 0.95),
            (gamma, beta, "calls", 0.95),
        ]
    )
    assert (beta, alpha, "references", 0.45) in set(snapshot.arcs())


def what_holds_what_follows_from_the_symbols(open_store: Opener) -> None:
    """``contains`` is there without being put, and nodes are symbols or tops of files."""
    store = open_store()
    fill(store, sample("a.py", "alpha", "beta"))
    snapshot = store.snapshot()
    top, beta = snapshot.node("a.py"), snapshot.node("a.py", 1)
    assert ends(snapshot, snapshot.edges_from([top])) == [
        ("a.py", "contains", "alpha"),
        ("a.py", "contains", "beta"),
    ]
    assert ends(snapshot, snapshot.edges_to([beta], ("contains",))) == [("a.py", "contains", "beta")]
    assert [one.symbol.kind for one in snapshot.nodes([beta, top, 12345])] == ["function", "file"]
    assert snapshot.node("a.py", 7) == snapshot.node("none.py") == 0
    assert list(snapshot.edges()) == []


def edges_outlive_a_new_record_of_their_target(open_store: Opener) -> None:
    """They follow the symbol by its name; what a new record has no more is out of sight, and comes back with it."""
    store = open_store()
    fill(store, sample("a.py", "alpha"), sample("b.py", "gamma", "delta"))
    linked(store, _call("a.py", 0, "b.py", 1), _call("b.py", 0, "a.py", 0))
    fill(store, sample("b.py", "first", "delta"), sample("c.py", "other"))
    snapshot = store.snapshot()
    assert ends(snapshot, snapshot.edges_from([snapshot.node("a.py", 0)])) == [("alpha", "calls", "delta")]
    assert ends(snapshot, snapshot.edges_to([snapshot.node("a.py", 0)], ("calls",))) == []
    fill(store, sample("b.py", "first"))
    snapshot = store.snapshot()
    assert snapshot.edges_from([snapshot.node("a.py", 0)]) == []
    fill(store, sample("b.py", "zero", "first", "delta"))
    snapshot = store.snapshot()
    assert list(snapshot.edges()) == [_call("a.py", 0, "b.py", 2)]
    with store.writer(5.0) as writer:
        writer.delete(["a.py"])
        writer.publish()
    snapshot = store.snapshot()
    assert snapshot.edges_to([snapshot.node("b.py", 2)], ("calls",)) == []


def put_edges_replaces_those_of_its_file(open_store: Opener) -> None:
    """Not published, they are seen by ``reading`` alone; unknown ends are left out."""
    store = open_store()
    fill(store, sample("a.py", "alpha"), sample("b.py", "gamma"))
    linked(store, _call("a.py", 0, "b.py", 0), _call("b.py", 0, "a.py", 0))
    with store.writer(5.0) as writer:
        writer.put_edges(
            "a.py", [_call("a.py", 0, "a.py", 0), _call("a.py", 0, "none.py", 0), _call("a.py", 0, "b.py", 9)]
        )
        writer.put([sample("c.py", "late")])
        reading = writer.reading()
        assert [edge.target_path for edge in reading.edges()] == ["a.py", "a.py"]
        outline = reading.outline_of("c.py")
        assert outline is not None
        assert [symbol.name for symbol in outline.symbols] == ["late"]
        assert list(reading.files_referring("call_late")) == ["c.py"]
    assert [edge.target_path for edge in store.snapshot().edges()] == ["b.py", "a.py"]


def edges_are_kept_over_a_new_record(open_store: Opener) -> None:
    """As the store gives them, moved to other lines, beside new ones; what a file says is equal while it says the same."""
    store = open_store()
    fill(store, sample("a.py", "alpha", "beta"), sample("b.py", "gamma"))
    first = linked(store, _call("a.py", 0, "b.py", 0), _call("a.py", MODULE, "b.py", MODULE, kind="imports"))
    assert first.said("nowhere.py") is None
    with store.writer(5.0) as writer:
        writer.put([sample("a.py", "alpha", "beta")])
        links = [one._replace(line=one.line + 2) for one in first.links_of("a.py")]
        writer.put_edges("a.py", [_call("a.py", 1, "b.py", 0, line=8)], links)
        writer.publish()
    then = store.snapshot()
    assert first.said("a.py") == then.said("a.py") != then.said("b.py")
    assert sorted((one.source, one.kind, one.line, one.resolved_by) for one in then.edges()) == [
        (MODULE, "imports", 5, "import"),
        (0, "calls", 5, "import"),
        (1, "calls", 8, "import"),
    ]
    assert {one.source for one in then.links_of("a.py")} == {MODULE, 0, 1}
    assert list(then.names_in("a.py")) == [
        (one.symbol.name, one.symbol.kind) for one in then.symbols_of("a.py")
    ]
    assert list(then.places("gamma", 9)) == [("b.py", 0, then.symbols_of("b.py")[0].symbol.kind)]


def an_outline_has_what_linking_reads(open_store: Opener) -> None:
    """Symbols with their places and bases, imports, references and bindings."""
    store = open_store()
    record = sample("a.py", "alpha")
    fill(store, record)
    outline = store.snapshot().outline_of("a.py")
    assert outline is not None
    assert outline.imports == record.outline.imports
    assert outline.references == record.outline.references
    assert outline.bindings == record.outline.bindings
    (symbol,) = outline.symbols
    assert symbol[:8] == record.outline.symbols[0][:8]
    assert store.snapshot().outline_of("none.py") is None
    assert list(store.snapshot().files_referring("Thing")) == ["a.py"], (
        "a name stands in what another is bound to"
    )


EDGE_CHECKS: Sequence[Callable[[Opener], None]] = (
    edges_are_kept_over_a_new_record,
    edges_come_back_in_both_directions,
    what_holds_what_follows_from_the_symbols,
    edges_outlive_a_new_record_of_their_target,
    put_edges_replaces_those_of_its_file,
    an_outline_has_what_linking_reads,
)
"""All checks of edges."""
