"""What is read in the text of a question."""

from __future__ import annotations

import pytest

import trigpoint
from trigpoint.model import Filters
from trigpoint.search.understand import READ_LIMIT, understand


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("where is parseConfig called", ("parseConfig",)),
        ("how does parse_config work", ("parse_config",)),
        ("what does `open` do", ("open",)),
        ("why does run() hang", ("run",)),
        ("Session.open fails", ("Session.open",)),
        ("std::fmt::Display for Point", ("std::fmt::Display", "Point")),
        ("HTTPServer2 or MAX_SIZE", ("HTTPServer2", "MAX_SIZE")),
        ("retry", ("retry",)),
        ("how are retries scheduled", ()),
        ("Where do uploads go", ()),
        ("what is in lib/url.c", ()),
    ],
)
def test_names_are_known_by_how_they_are_written(text: str, names: tuple[str, ...]) -> None:
    assert understand(text).identifiers == names


def test_words_are_kept_in_order_without_those_that_say_nothing() -> None:
    assert understand("How is the secret key of a session rotated?").words == (
        "secret",
        "key",
        "session",
        "rotated",
    )
    assert understand("don't use the agents' planner").words == ("agents", "planner")


def test_paths_are_found_however_the_slashes_lean() -> None:
    assert understand(r"see src\app\main.py and ./lib/http.js").paths == ("src/app/main.py", "lib/http.js")


@pytest.mark.parametrize(
    ("trace", "path", "line", "function"),
    [
        ('File "app/core.py", line 3, in run', "app/core.py", 3, "run"),
        ("    at Session.open (/srv/app/session.js:10:5)", "/srv/app/session.js", 10, "Session.open"),
        ("    at /srv/app/session.ts:10:5", "/srv/app/session.ts", 10, ""),
        ("\tat org.mill.Grain.grind(Grain.java:42)", "Grain.java", 42, "org.mill.Grain.grind"),
        ("\t/srv/mill/grain.go:17 +0x1d", "/srv/mill/grain.go", 17, ""),
        ("             at src/grain.rs:12:5", "src/grain.rs", 12, ""),
        ("   at Mill.Grain.Grind(Int32 n) in /src/Grain.cs:line 8", "/src/Grain.cs", 8, "Mill.Grain.Grind"),
        ("lib/grain.rb:9:in `grind'", "lib/grain.rb", 9, "grind"),
        ("#0 /srv/Grain.php(14): Mill\\Grain->grind()", "/srv/Grain.php", 14, "Mill\\Grain->grind"),
        ("src/grain.c:30:12: error: expected ';'", "src/grain.c", 30, ""),
        (
            "mill.(*Grain).grind(0xc0)\n\t/srv/mill/grain.go:17 +0x1d",
            "/srv/mill/grain.go",
            17,
            "mill.(*Grain).grind",
        ),
        ("thread 'main' panicked at src/grain.rs:12:5:\nno grain", "src/grain.rs", 12, ""),
        ("PHP Fatal error: no grain in /srv/Grain.php on line 14", "/srv/Grain.php", 14, ""),
        ("    (mill 0.1.0) lib/grain.ex:9: Mill.Grain.grind/2", "lib/grain.ex", 9, "Mill.Grain.grind"),
    ],
)
def test_frames_of_every_kind_of_trace(trace: str, path: str, line: int, function: str) -> None:
    (frame,) = understand(f"it fails\n{trace}\n").frames
    assert (frame.path, frame.line, frame.function) == (path, line, function)


def test_errors_are_read_where_they_stand_and_not_where_they_are_spoken_of() -> None:
    assert understand("Traceback\n  x\nValueError: bad mode 'q'\n").errors == ("ValueError", "bad mode 'q'")
    assert understand("ParseError structure and formatting").errors == ()


def test_filters_are_taken_out_of_the_text_and_joined_with_those_given() -> None:
    query = understand(
        'retry lang:python -path:tests path:"a b/c" complexity:>10', Filters(kinds=("method",))
    )
    assert query.words == ("retry",)
    assert query.filters == Filters(("python",), ("method",), ("a b/c",), ("tests",), (), (">10",))


def test_what_is_no_filter_is_text() -> None:
    query = understand("col:val std::path http://x")
    assert not query.filters
    assert "col" in query.words


def test_a_filter_that_cannot_be_executed_says_how_to_write_it() -> None:
    with pytest.raises(trigpoint.UsageError) as error:
        understand("x complexity:many")
    assert "complexity:>10" in error.value.hint


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("all of *.proto please", ("*.proto",)),
        ("the files lib/**/grain_?.rb", ("lib/**/grain_?.rb",)),
        ("what does the Makefile build", ("Makefile",)),
        ("is it in go.mod or Cargo.lock", ("go.mod", "Cargo.lock")),
        ("open grain.gemspec", ("grain.gemspec",)),
        ("a * b", ()),
        ("self.lock is held", ()),
    ],
)
def test_globs_and_files_that_are_known_by_their_name(text: str, paths: tuple[str, ...]) -> None:
    assert understand(text).paths == paths


@pytest.mark.parametrize(
    ("text", "refuses", "words"),
    [
        ("retry, but not in the tests", {"test"}, ("retry",)),
        ("upload without tests, docs and examples", {"test", "doc", "example"}, ("upload",)),
        ("sorting excluding generated code", {"generated"}, ("sorting",)),
        ("cookies without a domain", set(), ("cookies", "domain")),
        ("tests of the parser", set(), ("tests", "parser")),
        ("x " * 200 + "not in tests", set(), ("x", "tests")),
    ],
)
def test_files_that_a_question_does_not_want(text: str, refuses: set[str], words: tuple[str, ...]) -> None:
    query = understand(text)
    assert (query.refuses, query.words) == (refuses, words)


def test_a_folder_that_a_question_does_not_want_is_a_filter() -> None:
    query = understand("parser outside of src/legacy/")
    assert query.filters.not_paths == ("src/legacy",)
    assert query.words == ("parser",)


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("how are sessions opened in Python", {"python"}),
        ("the go code that parses frames", {"go"}),
        ("buffers in c", {"c"}),
        ("C++ buffer handling", {"cpp"}),
        ("where do we go from here", set()),
        ("swift response to errors", set()),
    ],
)
def test_languages_named_in_words(text: str, languages: set[str]) -> None:
    assert understand(text).languages == languages


def test_kinds_named_in_words() -> None:
    assert understand("which class handles uploads").kinds == {"class"}
    assert understand("what does the function that draws do").kinds == {"function"}
    assert understand("class hierarchy of events").kinds == frozenset()


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("which test checks the parser", {"test"}),
        ("unit tests of the parser", {"test"}),
        ("how is a request tested for its age", {"test"}),
        ("snapshot testing serializer", set()),
        ("how do I install it", {"doc"}),
        ("examples of a custom loader", {"example"}),
    ],
)
def test_tests_docs_and_examples_are_wanted_only_when_asked_for(text: str, wants: set[str]) -> None:
    assert understand(text).wants == wants


def test_a_long_text_loses_its_repetition_and_says_so() -> None:
    log = "INFO step ok\n" * 5_000 + "OverflowError: pump seven\n" + "INFO step ok\n" * 5_000
    query = understand(log)
    assert query.cut
    assert "OverflowError" in query.errors
    assert len(log) > READ_LIMIT
    assert not understand("short").cut


REPORT = (
    "Retry loses the last part\n\n<!-- thank you for the report -->\nUpload three parts and pull the cable, as in\n"
    "https://github.com/a/b/blob/main/src/up/retry.py#L12 or see https://x.example/zebra for more.\n"
    "### Versions\nPython 3.11 on a quagga\n### What happens\nIt waits and then the last one of them is gone for good."
)


def test_a_report_keeps_what_speaks_of_code() -> None:
    query = understand(REPORT)
    assert set(query.headline) >= {"retry", "loses", "last", "part"}
    assert "src/up/retry.py" in query.paths
    assert not {"thank", "zebra", "quagga", "https"} & set(query.words)
    assert {"waits", "cable"} <= set(query.words)


def test_only_reports_have_a_headline() -> None:
    assert understand("retry loses the last part").headline == ()
    trace = "Traceback (most recent call last):\n" + REPORT
    assert understand(trace).headline == understand(REPORT).headline
    assert understand("word " * 60 + "\n" + "more " * 20).headline == ()
