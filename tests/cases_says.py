"""What each shared case demands in sentences, checked by hand: one small function a step, in two tables.

This half has the tables and what is asked of lines, symbols and files; cases_says_asked.py has the other.

A check takes the command on the built tree and the answer of its step, and yields what is wrong, in words.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from cases_runner import Answer, Hit, Trig, hits_of, path_of

Problems = Iterator[str]
Check = Callable[[Trig, Answer], Problems]
Key = tuple[str, int]

SAYS: dict[Key, Check] = {}
"""Checks beside those of the expected and absent rows, by case and step."""

INSTEAD: dict[Key, Check] = {}
"""Checks where the sentences take the place of the rows, or accept another exit status."""


def says(case: str, *steps: int, instead: bool = False) -> Callable[[Check], Check]:
    """Put a check in its table."""

    def put(check: Check) -> Check:
        (INSTEAD if instead else SAYS).update({(case, step): check for step in steps})
        return check

    return put


def places(hits: list[Hit], path: str, line: int) -> list[int]:
    """The ranks, from 1, of the results that hold this line."""
    return [rank for rank, hit in enumerate(hits, 1) if hit.path == path and hit.start <= line <= hit.end]


def among(best: int, path: str, line: int, trig: Trig, answer: Answer) -> Problems:
    """A line is in one of the first results of every query."""
    for hits in answer.hits:
        if not any(rank <= best for rank in places(hits, path, line)):
            yield f"{path}:{line} is not among the first {best}: {[(hit.path, hit.start) for hit in hits[:6]]}"


def nothing_more(trig: Trig, answer: Answer) -> Problems:
    """The rows that were expected or refused say it all, and there is one row at most."""
    if len(answer.first) > 1:
        yield f"more than one result: {answer.first}"


def as_expected(trig: Trig, answer: Answer) -> Problems:
    """The rows that were expected or refused say it all."""
    return iter(())


RANKS: Mapping[Key, tuple[int, str, int]] = {
    ("query-identifiers", 2): (1, "net/parse.py", 10),
    ("query-identifiers", 3): (1, "net/users.py", 6),
    ("query-identifiers", 4): (2, "net/parse.py", 1),
    ("query-identifiers", 5): (2, "net/parse.py", 5),
    ("query-operators", 2): (1, "src/agent.py", 1),
    ("rank-tests", 2): (1, "src/dead.go", 4),
    ("rank-tests", 3): (3, "src/dead_test.go", 10),
    ("rank-tests", 4): (1, "src/latest/contest.py", 1),
    ("rank-docs", 3): (2, "README.md", 5),
}
"""How far down an expected line may stand, by the words of the case."""

SAYS.update({key: partial(among, *wanted) for key, wanted in RANKS.items()})

EXPECTED = (
    ("cs-filescoped-partial", 3),
    ("query-path-filters", 2),
    ("query-path-filters", 5),
    ("notebook-cells", 5),
    ("stale-delete-rename", 4),
    ("stale-delete-rename", 5),
    ("durable-read-only", 3),
)
"""Sentences that say what the expected rows say."""

SAYS.update(dict.fromkeys(EXPECTED, as_expected))

ONE_RESULT = (
    ("files-symlinks", 3),
    ("git-nested-worktree", 2),
    ("names-odd", 10),
    ("names-odd", 11),
    ("stale-delete-rename", 7),
    ("stale-delete-rename", 8),
)
SAYS.update(dict.fromkeys(ONE_RESULT, nothing_more))


# lines and encodings


@says("lines-formfeed", 4)
def snippets_are_as_sed_prints(trig: Trig, answer: Answer) -> Problems:
    for hit in answer.first:
        window = hit.raw["window"]
        if window is None or window["elided"]:
            yield f"{hit.path}:{hit.start} is not shown whole"
            continue
        first, last = window["start_line"], window["end_line"]
        read = trig.ask("read", "--json", literal=(f"{hit.path}:{first}-{last}",)).json
        for text in (window["text"], read["text"]):
            if text.removesuffix("\n").encode() + b"\n" != sed(trig, hit.path, first, last):
                yield f"{hit.path}:{first}-{last} is {text!r}"


def sed(trig: Trig, path: str, first: int, last: int) -> bytes:
    argv = ["sed", "-n", f"{first},{last}p", path]
    return subprocess.run(argv, cwd=trig.root, capture_output=True, check=True).stdout


@says("lines-last-line", 3)
def ranges_end_at_text(trig: Trig, answer: Answer) -> Problems:
    for path in ("blanks.py", "noeol.py", "one.py"):
        lines = (trig.root / path).read_text().split("\n")
        for hit in hits_of(trig.ask("outline", "--json", literal=(path,)).json):
            if hit.end > len(lines) or not lines[hit.end - 1].strip():
                yield f"{path}: {hit.symbol} ends at line {hit.end}"


@says("lines-multibyte", 2)
def names_stand_where_they_are_said_to(trig: Trig, answer: Answer) -> Problems:
    for hit in answer.first:
        name, line = hit.raw["name"].encode(), (trig.root / hit.path).read_bytes().split(b"\n")[hit.line - 1]
        if not line[hit.raw["column"] - 1 :].startswith(name):
            yield f"{hit.raw['name']} is not at byte column {hit.raw['column']} of {line.decode()!r}"


@says("lines-bom-crlf", 2)
def the_twin_with_lf_has_the_same_outline(trig: Trig, answer: Answer) -> Problems:
    twin = hits_of(trig.ask("outline", "--json", literal=("TreeLf.cs",)).json)
    if [hit[1:5] for hit in twin] != [hit[1:5] for hit in answer.first]:
        yield f"TreeLf.cs has {twin}"


@says("lines-out-of-line", 2)
def the_header_is_marked(trig: Trig, answer: Answer) -> Problems:
    for hit in answer.first:
        if hit.path.endswith(".hpp") and "declaration" not in hit.raw["modifiers"]:
            yield f"{hit.path}:{hit.line} is not marked as a declaration"


@says("enc-bom-first-symbol", 2)
def the_name_has_three_letters(trig: Trig, answer: Answer) -> Problems:
    if [hit.raw["name"] for hit in answer.first] != ["saw"]:
        yield f"names: {answer.first}"


@says("enc-legacy", 1)
def no_file_is_lost(trig: Trig, answer: Answer) -> Problems:
    report = answer.ran[0].json
    if report["files"] != 3 or report["skipped"] or report["partial"]:
        yield f"{report}"


@says("enc-legacy", 5)
def the_accented_word_is_shown(trig: Trig, answer: Answer) -> Problems:
    plain = trig.ask("search", literal=("brûlée",))  # Ran fails on output that is not UTF-8
    if "menu.py:2:# crème brûlée à la carte\n" not in plain.out:
        yield plain.out


@says("enc-utf16", 1)
def the_good_file_is_indexed(trig: Trig, answer: Answer) -> Problems:
    if trig.ask("outline", literal=("ok.py",)).status:
        yield "ok.py is not indexed"


@says("enc-utf16", 3, instead=True)
def read_or_reported(trig: Trig, answer: Answer) -> Problems:
    if any(hit.path == "Valve.java" and (hit.line, hit.end) == (2, 4) for hit in answer.first):
        return
    ledger = _ledger(trig)
    if not {"Valve.java", "valve.ps1"} <= ledger.keys() or not all(ledger.values()):
        yield f"neither read nor reported: {answer.first}, {ledger}"


def _ledger(trig: Trig) -> dict[str, str]:
    """The reason for each file that is not fully indexed."""
    rows = trig.ask("status", "--files", "--json").json.get("files_detail", ())
    return {path_of(row): row["reason"] for row in rows}


# symbols


@says("c-macro-functions", 3)
def no_macro_poses_as_the_function(trig: Trig, answer: Answer) -> Problems:
    if not any(hit.raw["name"] == "valve_state" and hit.line == 6 for hit in answer.first):
        found = hits_of(trig.ask("search", "--json", literal=("valve_state",)).json)
        yield from among(1, "valve.c", 6, trig, Answer(hits=[found]))
    for hit in hits_of(trig.ask("symbol", "--json", literal=("EXPORT_FN",)).json):
        if hit.end > 1:
            yield f"EXPORT_FN claims lines {hit.start} to {hit.end}"


@says("go-generic-receivers", 2)
def receivers_are_bare(trig: Trig, answer: Answer) -> Problems:
    if {hit.symbol for hit in answer.first} != {"Shelf.Push", "Crate.Push"}:
        yield f"names: {[hit.symbol for hit in answer.first]}"


@says("java-records-enums", 3)
def constants_are_found(trig: Trig, answer: Answer) -> Problems:
    for name, line in (("EARTH", 4), ("MARS", 10)):
        found = hits_of(trig.ask("symbol", "--json", literal=(name,)).json)
        if [hit.line for hit in found] != [line]:
            yield f"{name}: {found}"


@says("py-same-name", 3)
def the_body_comes_before_its_stubs(trig: Trig, answer: Answer) -> Problems:
    if {hit.line for hit in answer.first} - {19, 21, 22}:
        yield f"lines: {answer.first}"


@says("py-same-name", 4)
def case_decides(trig: Trig, answer: Answer) -> Problems:
    for name, line in (("session", 35), ("Session", 5)):
        found = hits_of(trig.ask("symbol", "--json", literal=(name,)).json)
        if not found or found[0].line != line or found[0].symbol != name:
            yield f"{name}: {found}"


@says("rust-impl-trait", 2)
def methods_belong_to_their_types(trig: Trig, answer: Answer) -> Problems:
    names = [(hit.symbol, hit.line) for hit in answer.first]
    for wanted in (("Striped.thread", 24), ("Walk.next", 35), ("Plain.thread", 43), ("Weave.thread", 2)):
        if wanted not in names:
            yield f"no {wanted}: {names}"
    if any(hit.raw["name"] == "reef" and (hit.start, hit.end) != (56, 56) for hit in answer.first):
        yield "reef has an invented range"


@says("notebook-cells", 2)
def the_place_is_a_line_of_the_file(trig: Trig, answer: Answer) -> Problems:
    if [(hit.line, hit.raw["name"]) for hit in answer.first] != [(28, "spread")]:
        yield f"{answer.first}"


@says("notebook-cells", 4)
def the_words_are_shown_plainly(trig: Trig, answer: Answer) -> Problems:
    text = answer.first[0].raw["window"]["text"]
    if "\nCompare harbour gauges." not in text or "\\n" in text or '"' in text:
        yield text


# which files


def git_list(root: Path) -> set[str]:
    """What git lists there, by its own rules alone."""
    home = str(root.with_name(root.name + ".home"))
    env = os.environ | {"GIT_CONFIG_NOSYSTEM": "1", "HOME": home}
    env.pop("XDG_CONFIG_HOME", None)
    argv = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    done = subprocess.run(argv, cwd=root, env=env, capture_output=True, check=True)
    return {os.fsdecode(path) for path in done.stdout.split(b"\0") if path}


@says("ignore-anchored-nested", 2)
@says("ignore-negation", 2)
def the_list_is_that_of_git(trig: Trig, answer: Answer) -> Problems:
    """The ledger holds exactly what git lists."""
    listed = git_list(trig.root)
    unknown = [path for path in sorted(listed) if trig.ask("outline", literal=(path,)).status == 2]
    if unknown or answer.ran[0].json["files"] != len(listed):
        yield f"git lists {sorted(listed)}; unknown: {unknown}"


@says("ignore-foreign-files", 1)
def the_source_is_indexed(trig: Trig, answer: Answer) -> Problems:
    if answer.ran[0].json["languages"].get("python") != 1:
        yield f"{answer.ran[0].json}"
    yield from the_list_is_that_of_git(trig, answer)


@says("files-fifo-socket", 1)
@says("files-symlinks", 1)
def an_update_ends_too(trig: Trig, answer: Answer) -> Problems:
    ran = trig.spawn("index")  # a run that hangs is killed by the limit of spawn
    if ran.status:
        yield ran.err


@says("files-symlinks", 4)
def nothing_from_outside(trig: Trig, answer: Answer) -> Problems:
    if "secret_outside" in (trig.ask("search", literal=("secret_outside",)).out):
        yield "the line from outside is shown"


@says("git-nested-worktree", 3)
def the_clone_is_accounted_for(trig: Trig, answer: Answer) -> Problems:
    ledger = _ledger(trig)
    if "vendored" not in ledger and trig.ask("outline", literal=("vendored/clone.py",)).status:
        yield f"vendored is neither indexed nor explained: {ledger}"


@says("names-odd", 1)
def seventeen_files(trig: Trig, answer: Answer) -> Problems:
    if answer.ran[0].json["files"] != 17:
        yield f"{answer.ran[0].json}"


@says("names-odd", 7)
def each_name_comes_back_exactly(trig: Trig, answer: Answer) -> Problems:
    listed = git_list(trig.root)
    found: set[str] = set()
    for number in range(1, 18):
        name = f"odd_name_{number}"
        hits = hits_of(trig.ask("symbol", "--json", literal=(name,)).json)
        found |= {hit.path for hit in hits}
        lines = trig.ask("symbol", literal=(name,)).out.split("\n")
        first = trig.ask("search", "--limit", "1", "--no-update", literal=(name,)).out.split("\n")
        if len(hits) != 1 or len(lines) != 2 or len(first) != 2 or f"def {name}()" not in first[0]:
            yield f"{name}: {hits}, {lines}, {first}"
    if found != listed:
        yield f"paths that do not come back: {listed ^ found}"


@says("platform-backslash-paths", 2, instead=True)
def spellings_of_one_path(trig: Trig, answer: Answer) -> Problems:
    for position, (ran, hits) in enumerate(zip(answer.ran, answer.hits, strict=True)):
        found = [(hit.path, hit.symbol, hit.line, hit.end) for hit in hits]
        refused = position > 2 and ran.status == 2 and "src/app/main.py" in ran.err
        if found != [("src/app/main.py", "main_loop", 1, 2)] and not refused:
            yield f"spelling {position}: {found} {ran.err}"


@says("platform-backslash-paths", 3, 4)
def slashes_point_forward(trig: Trig, answer: Answer) -> Problems:
    if not all(hit.path.startswith("src/app/main") for hit in answer.first):
        yield f"{answer.first}"


# sizes


@says("size-deep-nesting", 1)
def a_run_of_its_own_survives(trig: Trig, answer: Answer) -> Problems:
    began = time.monotonic()
    ran = trig.spawn("index", "--full", "--set", "workers=2")
    if ran.status or time.monotonic() - began > 60:
        yield f"exit status {ran.status}: {ran.err}"


@says("size-deep-nesting", 7)
def what_was_given_up_is_named(trig: Trig, answer: Answer) -> Problems:
    """Played beside the callers: every file is whole, or in the ledger."""
    ledger = _ledger(trig)
    for path, name in (("lists.py", "after_lists"), ("braces.c", "after_braces"), ("elif.py", "after_elif")):
        if path not in ledger and not trig.ask("symbol", "--json", literal=(name,)).json["symbols"]:
            yield f"{path} is said to be whole, but has no {name}"


@says("size-minified", 1)
def treatment_is_told(trig: Trig, answer: Answer) -> Problems:
    ledger = _ledger(trig)
    wanted = {
        "dist/app.min.js": "minified",
        "dist/app.min.js.map": "source-map",
        "gen/api_pb2.py": "generated",
        "package-lock.json": "lock-file",
        "data.json": "data",
    }
    if ledger != wanted:
        yield f"{ledger}"


@says("size-minified", 2)
def real_code_comes_first(trig: Trig, answer: Answer) -> Problems:
    paths = [hit.path for hit in answer.first[:5]]
    if paths[:1] != ["src/chart.js"] or len(set(paths) - {"src/chart.js"}) > 1:
        yield f"{paths}"


@says("size-minified", 3)
def real_code_is_listed_first(trig: Trig, answer: Answer) -> Problems:
    if answer.first[0].path != "src/chart.js":
        yield f"{answer.first[0]}"
