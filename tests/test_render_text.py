from answers import FRESH, PACK, RETRY, SYMBOLS, pack, packed
from trigpoint.config import Shown
from trigpoint.model import INDEXED, FileRow, IndexReport, Level, Outcome, Span, Status, Window
from trigpoint.render import text
from trigpoint.render.style import Look

PIPE, TERMINAL, COLORS = Look(), Look(terminal=True), Look(color=True, terminal=True)


def test_piped_one_result_is_one_line() -> None:
    assert text.search(PACK, PIPE).split("\n") == [
        "src/upload.py:42:    for attempt in range(3):",
        r"a\nb\xff.py:1:x = 1  # \x1b[2J\u202etxt",
        "",
    ]


def test_on_a_terminal_results_stand_under_their_file() -> None:
    assert text.search(pack(packed(1, RETRY, 42), packed(2, RETRY, 45, shown=False)), TERMINAL) == (
        "src/upload.py\n"
        "  41-45  retry  lexical #1, definition\n"
        "     41 | def retry(part):\n"
        "     42 |     for attempt in range(3):\n"
        "     43 |         if send(part):\n"
        "     44 |             return True\n"
        "  41-45  retry  lexical #1, definition, 1 copy elsewhere\n"
        "\n"
        "2 of 7 results · confidence 0.42 (low) · lexical+symbol\n"
    )


def test_an_outline_keeps_its_own_line_numbers_and_a_pipe_gets_the_line_itself() -> None:
    """An outline stood under the numbers of the chunk: `path:43:` before the text of line 7."""
    found = packed(1, RETRY, 42)
    rows = Window(RETRY.span, "    7  class Part\n   12    def of(self)\n123456  def last()", outline=True)
    outlined = pack(found._replace(window=rows))
    assert text.search(outlined, PIPE) == "src/upload.py:42:    for attempt in range(3):\n"
    assert "      7 | class Part\n     12 |   def of(self)\n  123456 | def last()\n" in text.search(
        outlined, TERMINAL
    )


def test_colours_are_those_of_ripgrep() -> None:
    shown = text.search(pack(packed(1, RETRY, 42)), COLORS)
    assert "\x1b[35msrc/upload.py\x1b[0m" in shown
    assert "\x1b[32m   42\x1b[0m" in shown
    assert "for \x1b[1;31mattempt\x1b[0m in" in shown
    assert "\x1b[2mlexical #1, definition\x1b[0m" in shown


def test_explain_shows_every_reason_and_the_sum() -> None:
    shown = text.search(PACK, PIPE, explain=True)
    assert "intent: concept" in shown
    assert "#1 src/upload.py:41-45 = 1.000\n   +0.750 leg:lexical #1\n   +0.250 signal:definition\n" in shown


def test_nothing_found_is_nothing_written() -> None:
    assert text.search(pack(), PIPE) == text.search(pack(), TERMINAL) == ""


def test_notes_say_what_the_answer_lacks() -> None:
    advice = (
        "confidence 0.42 (low); to confirm, open src/upload.py:41-45",
        "or rg '(?i)retry' (1 file, src/upload.py:41)",
    )
    assert text.notes(PACK) == ("5 results more", *advice)
    stale = PACK._replace(confidence=0.9, freshness=FRESH._replace(state="stale", note="3 files changed"))
    assert text.notes(stale) == ("index stale: 3 files changed", "5 results more")


def test_what_is_said_of_a_stale_index_is_said_once() -> None:
    note = "3 files have changed; run `trig index`"
    stale = PACK._replace(
        confidence=0.9, freshness=FRESH._replace(state="stale", note=note), notes=(note, "x")
    )
    assert text.notes(stale) == (f"index stale: {note}", "x")


def test_a_long_value_does_not_push_all_columns_out() -> None:
    rows = [Shown("cache.dir", "/home/" + "x" * 60, "default", ""), Shown("stats", True, "default", "")]
    assert text.settings(rows, PIPE).split("\n")[1] == f"stats      {'true':24}  default"


def test_symbols_and_outline() -> None:
    assert text.symbols(SYMBOLS, PIPE) == "src/a.py:1:class class A(B)\nsrc/a.py:3:method def go(self)\n"
    assert text.outline(SYMBOLS, PIPE) == "1-9\tclass class A(B)\n2-4\t  method def go(self)\n"


def test_window_keeps_lines_as_they_are_but_for_control_characters() -> None:
    shown = Window(Span("a.py", 9, 10), "a\x1b[0m\r\n\tb\n")
    assert text.window(shown, PIPE) == "a\\x1b[0m\n\tb\n"
    assert text.window(shown, TERMINAL) == "    9 | a\\x1b[0m\n   10 | \tb\n"


def test_report_is_one_line_and_one_for_what_was_left_out() -> None:
    done = IndexReport(
        root="/p",
        generation=1,
        files=1214,
        added=2,
        modified=1,
        deleted=0,
        unchanged=1211,
        skipped={"binary": 2, "too-large": 3},
        partial={},
        symbols=9000,
        chunks=5,
        languages={"python": 1214},
        seconds=1.25,
    )
    assert text.report(done, PIPE) == (
        "1,214 files (2 added, 1 modified, 0 deleted, 1,211 unchanged), 9,000 symbols, 5 chunks, 1.2 s\n"
        "not fully indexed: 3 too-large, 2 binary (trig status --files)\n"
    )


def test_status_lists_what_is_not_fully_indexed() -> None:
    row = FileRow(1, "a.py", "python", "", 1, 1, "utf-8", INDEXED, frozenset(), None)
    lost = row._replace(path="b\x1b.bin", outcome=Outcome(Level.SKIPPED, "binary", "has NUL bytes"))
    found = Status(
        root="/p",
        index="/c/p",
        state="ready",
        generation=3,
        files=2,
        symbols=4,
        chunks=5,
        references=6,
        languages={"python": 1},
        levels={"indexed": 1, "skipped": 1},
        reasons={"binary": 1},
        views={"lexical": "fresh"},
        size=1_500_000,
        freshness=FRESH,
        files_detail=(row, lost),
    )
    assert text.status(found, PIPE) == (
        "project    /p\n"
        "index      /c/p (1.5 MB)\n"
        "state      ready, generation 3, fresh\n"
        "branch     main abc123\n"
        "files      2 (1 indexed, 1 skipped)\n"
        "languages  1 python\n"
        "holds      4 symbols, 5 chunks, 6 references\n"
        "views      lexical fresh\n"
        "reasons    1 binary\n"
        "b\\x1b.bin: skipped binary has NUL bytes\n"
    )
