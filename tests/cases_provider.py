"""Steps with an embedding provider: the scripted one of the cases is started on loopback, and the command is sent there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from cases_deeds import deed
from cases_runner import CASES, Answer, Step, Trig
from cases_says import Problems, says

STUB = CASES / "_tools" / "stub_provider.py"


@contextmanager
def provider(mode: str, log: Path) -> Iterator[str]:
    """The address of a scripted provider, as long as the block lasts."""
    command = [sys.executable, str(STUB), *mode.split(), "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@contextmanager
def provided(trig: Trig, step: Step) -> Iterator[None]:
    """The provider that a step asks for, if it does, and the command set to it."""
    mode = step.raw.get("provider", "")
    if not mode:
        yield
        return
    trig.provider = trig.root.with_name(f"provider-{step.number}.jsonl")
    with provider(mode, trig.provider) as address:
        trig.always = flags(address, tries=4 if mode == "limit" else 2)
        try:
            yield
        finally:
            trig.always = ()


def flags(address: str, tries: int) -> tuple[str, ...]:
    """A command line that embeds at an address."""
    given = {
        "embedder": "http",
        "embedding.endpoint": address,
        "embedding.model": "stub",
        "embedding.tries": tries,
        "embedding.seconds": 5,
    }
    return tuple(word for key, value in given.items() for word in ("--set", f"{key}={value}"))


def requests(trig: Trig) -> list[dict]:
    """What the provider was asked in this step."""
    log = trig.provider
    return [json.loads(line) for line in log.read_text().splitlines()] if log and log.exists() else []


@deed("provider-limits", 1, 2, 3, 4, 5)
def index_anew(trig: Trig, step: Step) -> Answer:
    """With nothing left from the step before, or there would be nothing to embed."""
    for folder in trig.root.parent.joinpath("cache").glob("*"):
        shutil.rmtree(folder)
    return Answer([trig.ask("index")], [[]])


def state(trig: Trig) -> str:
    return trig.ask("status", "--json").json["views"]["vectors"]


@says("provider-limits", 1, 2)
def every_chunk_has_a_vector(trig: Trig, answer: Answer) -> Problems:
    if state(trig) != "fresh" or "without" in answer.ran[0].out:
        yield f"vectors are {state(trig)}: {answer.ran[0]}"
    asked = requests(trig)
    if not 2 <= len(asked) <= 12:
        yield f"{len(asked)} requests"
    waited = [later["time"] - sooner["time"] for sooner, later in pairwise(asked[:3])]
    if trig.provider and trig.provider.name == "provider-1.jsonl" and min(waited) < 1:
        yield f"Retry-After was 1 s, the waits were {waited}"


@says("provider-limits", 3, 4, 5)
def finished_without_vectors_and_says_so(trig: Trig, answer: Answer) -> Problems:
    last = answer.ran[0].out.splitlines()[-1]
    if "without all vectors" not in last or "127.0.0.1" not in last:
        yield f"the last line does not tell: {last}"
    if trig.provider and trig.provider.name == "provider-4.jsonl" and "Sign in" not in last:
        yield f"the answer is not quoted: {last}"
    if len(requests(trig)) > 5:
        yield f"{len(requests(trig))} requests"
    if state(trig) == "fresh":
        yield "the status says that there are vectors"
    asked = trig.ask("search", "--json", literal=("make the dough smooth",)).json
    if not any("by words alone" in note for note in asked["notes"]) or "vector" in asked["plan"]:
        yield f"a semantic answer says nothing: {asked['notes']} {asked['plan']}"
    if not trig.ask("symbol", "--json", literal=("knead",)).json["symbols"]:
        yield "a definition is not found"
    found = trig.ask("search", "--json", literal=('"until it is smooth"',)).json["results"]
    if not found or found[0]["path"] != "src/oven.py":
        yield f"exact text is not found: {found}"


@says("provider-limits", 6)
def only_what_is_missing_is_embedded(trig: Trig, answer: Answer) -> Problems:
    if state(trig) != "fresh":
        yield f"vectors are {state(trig)}"
    before = len(requests(trig))
    again = trig.ask("index", "--full")
    new = sum(one["inputs"] for one in requests(trig)[before:])
    if again.status or new > 2:  # the two that ask whether the model is still the same
        yield f"{new} texts were sent again"


@says("provider-new-dimension", 2)
def another_model_is_told(trig: Trig, answer: Answer) -> Problems:
    notes = " ".join(answer.ran[0].json["notes"])
    if not all(word in notes for word in ("of 64 numbers", "of 96 numbers", "trig index", "by words alone")):
        yield f"nothing is said of the models: {notes!r}"


@says("provider-new-dimension", 3)
def everything_is_embedded_anew(trig: Trig, answer: Answer) -> Problems:
    chunks = trig.ask("status", "--json").json["chunks"]
    sent = sum(one["inputs"] for one in requests(trig))
    if state(trig) != "fresh" or sent < chunks:
        yield f"{sent} texts for {chunks} chunks, vectors {state(trig)}"


@says("provider-too-long", 1)
def nothing_longer_is_sent_once_the_limit_is_known(trig: Trig, answer: Answer) -> Problems:
    lengths = [one["longest"] for one in requests(trig)]
    refused = [place for place, length in enumerate(lengths) if length > 4_000]
    if state(trig) != "fresh" or len(refused) > 3:
        yield f"vectors {state(trig)}, longest inputs {lengths}"
    if refused and max(lengths[max(refused) + 1 :], default=0) > 4_000:
        yield f"longest inputs {lengths}"
    if refused and "embedded in parts" not in trig.ask("status").out:
        yield "what was split is not counted"


@says("provider-too-long", 3)
def one_symbol_with_its_whole_range(trig: Trig, answer: Answer) -> Problems:
    if len(answer.first) != 1:
        yield f"{answer.first}"
