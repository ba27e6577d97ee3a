"""The second half of what cases demand in sentences: questions, ranks, budgets, freshness, and what must not get out."""

from __future__ import annotations

import time

from cases_runner import Answer, Ran, Trig, hits_of
from cases_says import Problems, among, says
from trigpoint.text.tokens import count

# questions


@says("query-operators", 3, instead=True)
def every_odd_query_is_text(trig: Trig, answer: Answer) -> Problems:
    yield from _no_errors(answer)
    if trig.ask("index", "--json").json["symbols"] != 4 or trig.ask("doctor").status:
        yield "the index has changed"


def _no_errors(answer: Answer) -> Problems:
    """Success, nothing found, or the plain word that there was no question."""
    for number, ran in enumerate(answer.ran):
        empty = ran.status == 2 and ran.err.startswith("trig: the query is empty")
        if not (ran.status in (0, 1) or empty) or "Error" in ran.err or "syntax" in ran.err:
            yield f"query {number}: {ran}"


@says("query-empty-huge", 2, 3, instead=True)
def blank_queries_are_no_errors(trig: Trig, answer: Answer) -> Problems:
    yield from _no_errors(answer)


@says("query-empty-huge", 4, instead=True)
def a_log_is_answered(trig: Trig, answer: Answer) -> Problems:
    step = "INFO step ok\n" * 2500
    log = step + "OverflowError: overflow_error_in_pump_seven\n" + step + "INFO step ok\n" * 3000
    began = time.process_time()
    ran = trig.ask("search", "--json", literal=(log,))
    if time.process_time() - began > 3:
        yield "it takes too long"
    yield from among(1, "party.py", 6, trig, Answer(hits=[hits_of(ran.json)]))
    if not any("question was long" in note for note in ran.json["notes"]):
        yield f"the cut is not told: {ran.json['notes']}"


@says("query-empty-huge", 5, instead=True)
def odd_limits_are_told(trig: Trig, answer: Answer) -> Problems:
    for limit in ("0", "-1", "1000000"):
        ran = trig.ask("search", f"--limit={limit}", literal=("confetti",))
        if ran.status != 2 or not ran.err.startswith(f"trig: limit cannot be {limit}"):
            yield f"--limit {limit}: {ran}"


@says("query-path-filters", 4)
def an_empty_folder_is_told(trig: Trig, answer: Answer) -> Problems:
    if "no indexed file lies under app/nowhere" not in " ".join(answer.ran[0].json["notes"]):
        yield f"{answer.ran[0].json['notes']}"


# ranking and budget


@says("rank-copies", 2)
def copies_take_one_place(trig: Trig, answer: Answer) -> Problems:
    yield from among(2, "core/rotate.py", 1, trig, answer)
    copies = [hit for hit in answer.first if hit.path.startswith("examples/")]
    noted = sum(1 + len(hit.raw.get("copies", ())) for hit in copies)
    if len(copies) > 2 or noted != 30:
        yield f"{len(copies)} places are taken by {noted} copies"


@says("rank-copies", 3)
def every_copy_is_counted(trig: Trig, answer: Answer) -> Problems:
    if len({hit.path for hit in answer.first}) != 30:
        yield f"{len(answer.first)} places"


@says("rank-docs", 2)
def the_change_log_keeps_to_two_places(trig: Trig, answer: Answer) -> Problems:
    if sum(hit.path == "CHANGELOG.md" for hit in answer.first) > 2:
        yield f"{[hit.path for hit in answer.first]}"


@says("budget-total", 2)
def the_budget_holds_for_all(trig: Trig, answer: Answer) -> Problems:
    ran, found = answer.ran[0], answer.ran[0].json
    if not 1000 < count(ran.out) <= 2000:
        yield f"{count(ran.out)} tokens"
    if len({row["path"] for row in found["results"] if row["window"]}) < 3:
        yield "the code of fewer than three files is shown"
    if not any("budget" in note or "to keep to" in note for note in found["notes"]):
        yield f"the cut is not told: {found['notes']}"
    again = [
        trig.ask("search", "--json", "--tokens", "2000", literal=("exchange rates table",)) for _ in range(2)
    ]
    if again[0] != again[1]:
        yield "two runs differ"
    plain = trig.ask("search", "--tokens", "2000", literal=("exchange rates table",))
    if count(plain.out) > 2000:
        yield f"as text: {count(plain.out)} tokens"


# fresh and safe


@says("stale-branch-switch", 1)
def the_branch_is_told(trig: Trig, answer: Answer) -> Problems:
    if trig.ask("status", "--json").json["freshness"]["branch"] != "feature":
        yield "status does not name the branch"


@says("stale-branch-switch", 4)
def a_switched_tree_is_stale(trig: Trig, answer: Answer) -> Problems:
    found = answer.ran[0].json
    if found["state"] != "stale" or found["freshness"]["state"] != "stale":
        yield f"{found}"


@says("stale-branch-switch", 8)
def the_body_is_that_of_main(trig: Trig, answer: Answer) -> Problems:
    found = trig.ask("search", "--json", literal=("on_both",)).json["results"]
    if "return 1" not in found[0]["window"]["text"]:
        yield f"{found[0]}"


@says("stale-branch-switch", 9)
def added_is_gone_too(trig: Trig, answer: Answer) -> Problems:
    if trig.ask("symbol", "--json", literal=("added",)).json["symbols"]:
        yield "added is still found"


@says("security-traversal", 2, instead=True)
def no_byte_from_outside(trig: Trig, answer: Answer) -> Problems:
    for number, ran in enumerate(answer.ran):
        if ran.status != 2 or ran.out:
            yield f"path {number} is not refused: {ran}"
        yield from _tells(trig, ran)
    for path in _traversals(trig):
        outlined = trig.ask("outline", literal=(path,))
        if outlined.status != 2:
            yield f"outline of {path!r}: {outlined}"
        yield from _tells(trig, outlined)
        searched = trig.ask("search", "--no-update", "--path", path, literal=("TOKEN outside secret",))
        if searched.status == 0 or searched.out:
            yield f"search --path {path!r}: {searched}"


def _traversals(trig: Trig) -> tuple[str, ...]:
    return (
        "../x.outside/secret.py",
        "src/../../x.outside/secret.py",
        "/etc/passwd",
        "src/link/secret.py",
        "src/link.py",
        "../x-private/secret.py",
        "..\\x.outside\\secret.py",
        "%2e%2e/x.outside/secret.py",
        "file:///etc/passwd",
        "src/shown.py\0.txt",
        str(trig.root.with_name("x-private") / "secret.py"),
    )


def _tells(trig: Trig, ran: Ran) -> Problems:
    """What must not be said: content from outside, absolute paths of the machine."""
    for secret in ("outside-a", "outside-b", "root:", str(trig.root)):
        if secret in ran.out + ran.err:
            yield f"{secret!r} is told: {ran}"


@says("security-traversal", 3, instead=True)
def inside_is_read(trig: Trig, answer: Answer) -> Problems:
    for path in ("src/shown.py", "./src/shown.py", "src/./shown.py"):
        if trig.ask("read", literal=(path,)).out != "def shown(): return 1\n":
            yield f"{path} is not read"


ODD_CHARACTERS = "\x1b\x07\u202e\u200b\U000e006f"


@says("security-injection", 1)
def nothing_is_acted_upon(trig: Trig, answer: Answer) -> Problems:
    if (trig.root / "owned-marker").exists():
        yield "the tool did what a comment says"


@says("security-injection", 2)
def odd_characters_are_shown_escaped(trig: Trig, answer: Answer) -> Problems:
    shown = [
        answer.ran[0].out,
        trig.ask("search", literal=("deploy service",)).out,
        trig.ask("read", literal=("deploy.py",)).out,
        trig.ask("search", "--color", "never", "--explain", literal=("deploy service",)).out,
    ]
    for text in shown:
        if any(character in text for character in ODD_CHARACTERS):
            yield f"not escaped: {text!r}"
    if shown[2].count("\n") != 11:
        yield f"deploy.py has {shown[2].count(chr(10))} lines"
