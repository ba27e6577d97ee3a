"""A small answer that the render tests write out: one readable result, one with every odd thing in it."""

from trigpoint.model import (
    Chunk,
    Evidence,
    Fallback,
    Freshness,
    Hit,
    Pack,
    PackedHit,
    Query,
    Read,
    Span,
    Stage,
    StoredChunk,
    StoredSymbol,
    Symbol,
    Window,
)

TEXT = "def retry(part):\n    for attempt in range(3):\n        if send(part):\n            return True\n    return False"
ODD = "x = 1  # \x1b[2J\u202etxt\r\ny = 2"


def stored(path: str, text: str, name: str, start: int = 41, kind: str = "function") -> StoredChunk:
    end = start + text.count("\n")
    chunk = Chunk(start, end, kind, 0, (0,), f"{path} > {name}", text, 30, "d" * 8)
    return StoredChunk(
        id=1,
        path=path,
        language="python",
        marks=frozenset(),
        chunk=chunk,
        name=name,
        qualified=name,
        symbol_kind=kind,
        complexity=3,
        parent="",
    )


def packed(rank: int, chunk: StoredChunk, line: int, *, shown: bool = True) -> PackedHit:
    evidence = (Evidence("leg:lexical", 0.75, "#1"), Evidence("signal:definition", 0.25))
    window = Window(chunk.span, chunk.chunk.text) if shown else None
    return PackedHit(rank, Hit(chunk, evidence, line, copies=("copy.py",) if rank == 2 else ()), window)


FRESH = Freshness(state="fresh", generation=3, files=2, head="abc123", branch="main", root="f00d")
RETRY = stored("src/upload.py", TEXT, "retry")
WEIRD = stored("a\nb\udcff.py", ODD, "", start=1, kind="module")


def pack(*hits: PackedHit, budget: int = 2000) -> Pack:
    return Pack(
        query=Query("who retries", words=("retries", "attempt")),
        intent="concept",
        plan="lexical+symbol",
        rationale="a question in words",
        hits=hits,
        total=7,
        budget=budget,
        tokenizer="o200k_base",
        freshness=FRESH,
        stages=(Stage("fuse", "2 legs", 0.5),),
        notes=("5 results more",),
        reads=(Span("src/upload.py", 30, 60),),
        confidence=0.42,
        fallbacks=(Fallback("pattern", "(?i)retry", "1 file, src/upload.py:41"),),
        recommended_reads=(Read(Span("src/upload.py", 41, 45), "retry: #1"),),
    )


PACK = pack(packed(1, RETRY, 42), packed(2, WEIRD, 1))
OUTLINE = Window(RETRY.span, "   41  def retry(part)\n   47  def send(part)", outline=True)
OUTLINED = pack(packed(1, RETRY, 42)._replace(window=OUTLINE))
SYMBOLS = (
    StoredSymbol(1, "src/a.py", "python", Symbol("A", "A", "class", 1, 9, 1, 6, signature="class A(B)"), 0),
    StoredSymbol(
        2,
        "src/a.py",
        "python",
        Symbol("go", "A.go", "method", 2, 4, 3, 8, container=0, signature="def go(self)"),
        1,
    ),
)
