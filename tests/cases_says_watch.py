"""What the shared cases about watching demand in words, checked by hand."""

from __future__ import annotations

from collections.abc import Iterator

from cases_runner import Answer, Trig
from cases_says import says


@says("watch-atomic-save", 1)
def it_is_ready(trig: Trig, answer: Answer) -> Iterator[str]:
    if trig.watching is None or trig.watching.process.poll() is not None:
        yield "the watch does not run"


@says("watch-atomic-save", 8)
def all_files_of_the_branch(trig: Trig, answer: Answer) -> Iterator[str]:
    found = trig.ask("status", "--json").json["files"]
    if found != 20:
        yield f"{found} files are indexed, not 20"


@says("watch-atomic-save", 10)
def a_deletion_is_a_deletion(trig: Trig, answer: Answer) -> Iterator[str]:
    found = trig.ask("status", "--json").json["files"]
    if found != 19:
        yield f"{found} files are indexed after one was deleted, not 19"
