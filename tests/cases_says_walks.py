"""What cases demand in sentences of callers, callees and impact."""

from __future__ import annotations

from cases_runner import Answer, Trig
from cases_says import SAYS, Problems, as_expected, says
from trigpoint.text.tokens import count

EXPECTED = (
    ("impact-cycle", 4),
    ("js-default-export", 3),
    ("jscall-commonjs", 5),
    ("py-nested", 3),
    ("pycall-module-level", 2),
    ("pycall-each-site", 3),
    ("pycall-super-mro", 2),
    ("pycall-super-mro", 5),
    ("gocall-packages", 6),
    ("rustcall-scoped", 6),
    ("phpcall-traits", 3),
    ("lines-out-of-line", 4),
    ("go-generic-receivers", 7),
    ("java-records-enums", 4),
)
"""Sentences that say what the expected and refused rows say, or that allow more than we do."""

SAYS.update(dict.fromkeys(EXPECTED, as_expected))


@says("py-nested", 5)
@says("pycall-reexport", 6)
@says("pycall-same-name", 4, 6)
@says("stale-delete-rename", 6, 9)
@says("cs-filescoped-partial", 5)
def nothing_is_reached(trig: Trig, answer: Answer) -> Problems:
    if answer.first:
        yield f"{answer.first}"


@says("pycall-same-name", 5)
def one_row(trig: Trig, answer: Answer) -> Problems:
    if len(answer.first) != 1:
        yield f"{answer.first}"


@says("pycall-each-site", 2)
def every_site_is_a_row(trig: Trig, answer: Answer) -> Problems:
    if [hit.line for hit in answer.first] != [6, 10, 11, 11, 13, 16, 16, 19]:
        yield f"{[hit.line for hit in answer.first]}"


@says("impact-cycle", 2)
def each_once_with_its_least_depth(trig: Trig, answer: Answer) -> Problems:
    depths = {"even": 1, "odd": 2, "left": 2, "right": 2, "top": 3, "outer": 4}
    rows = [(hit.symbol, hit.raw["hop"]) for hit in answer.first]
    if len(rows) != len(depths) or dict(rows) != depths:
        yield f"{rows}"


@says("impact-cycle", 3)
def the_cut_is_told(trig: Trig, answer: Answer) -> Problems:
    if not any("cut at depth 2" in note for note in answer.ran[0].json["notes"]):
        yield f"{answer.ran[0].json['notes']}"


@says("lines-multibyte", 3)
def columns_count_bytes(trig: Trig, answer: Answer) -> Problems:
    for hit in answer.first:
        line = (trig.root / hit.path).read_bytes().split(b"\n")[hit.line - 1]
        for site in hit.raw["sites"]:
            if not line[site["column"] - 1 :].startswith(b"raise_heat"):
                yield f"raise_heat is not at byte column {site['column']} of {line.decode()!r}"


@says("budget-total", 3)
def the_budget_holds_here_too(trig: Trig, answer: Answer) -> Problems:
    for command in ("callers", "callees", "deps", "impact"):
        for form in ("--json", "--jsonl", "--color=never"):
            ran = trig.ask(command, form, "--tokens", "300", literal=("rates_0",))
            if count(ran.out) > 300:
                yield f"{command} {form}: {count(ran.out)} tokens"
