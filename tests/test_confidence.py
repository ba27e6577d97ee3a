"""How sure an answer is, and what it offers when it is not: probabilities, bands, fallbacks that were checked."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

import trigpoint
from planting import planted
from trigpoint import Engine
from trigpoint.model import FAIR, HIGH, Evidence, Pack, Query
from trigpoint.render import json as as_json
from trigpoint.render import text as as_text
from trigpoint.render.fit import fit
from trigpoint.render.style import Look
from trigpoint.search.calibration import WEIGHTS
from trigpoint.search.confidence import FITTED, SIGNS, Seen, confidence, signs

TREE = {
    "src/upload/retry.py": '"""Retries."""\n\n\ndef schedule_retry(part):\n    """Try a failed part again later."""\n    return part\n',
    "src/upload/queue.py": "class UploadQueue:\n    def push(self, part):\n        self.parts.append(part)\n",
    "src/billing/invoice.py": "def total_invoice(lines):\n    return sum(line.price for line in lines)\n",
    "src/billing/currency.py": "def convert_currency(amount, rate):\n    return amount * rate\n",
    "src/billing/refund_policy.py": "def allows(invoice):\n    return True\n",
    **{
        f"src/plugins/{name}.py": f"def handle_event(event):\n    if event.kind == {number}:\n        return event.rate * {number}\n"
        for number, name in enumerate(("red", "green", "blue", "white", "black", "brown"))
    },
    "tests/test_retry.py": "def test_schedule_retry():\n    assert True\n",
}
VAGUE = 'customers say that the "event.rate *" is applied by a plugin that nobody has chosen'


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = planted(tmp_path_factory.mktemp("works") / "shop", TREE)
    cache = str(tmp_path_factory.mktemp("cache"))
    with trigpoint.open(root, cache_dir=cache, embedder="none") as opened:
        opened.index()
        yield opened


def low(engine: Engine) -> Pack:
    """A doubtful answer: six files hold the same words."""
    pack = engine.search(VAGUE)
    assert pack.confidence is not None and pack.confidence < FAIR, pack.confidence
    return pack


def seen(files: tuple[float, ...], intent: str = "concept") -> Seen:
    return Seen(Query("x", words=("x", "y")), intent, files, (Evidence("leg:lexical", 1.0),), 50)


def test_every_sign_has_a_weight_and_no_weight_is_idle() -> None:
    assert set(WEIGHTS) == {"constant", *SIGNS}
    assert set(signs(seen((2.0, 1.0)))) == set(SIGNS)


def test_it_is_a_probability_that_grows_with_the_lead() -> None:
    close, far = confidence(seen((2.0, 1.95, 1.9, 1.9, 1.9))), confidence(seen((2.0, 0.2, 0.1)))
    assert close is not None and far is not None
    assert 0.0 < close < far < 1.0


def test_an_empty_answer_is_surely_not_right_and_a_walk_is_not_judged() -> None:
    assert confidence(seen(())) == 0.0
    assert confidence(seen((2.0,), "usages")) is None
    assert "usages" not in FITTED


def test_a_name_is_high_and_asks_for_nothing_more(engine: Engine) -> None:
    pack = engine.search("schedule_retry")
    assert pack.confidence is not None and pack.confidence >= HIGH
    assert (pack.band, pack.fallbacks, pack.recommended_reads) == ("high", (), ())
    assert not any("confidence" in line for line in as_text.notes(pack))


def test_walks_and_lists_have_none(engine: Engine) -> None:
    for question in ("who calls schedule_retry", "path:src", "give me an overview"):
        pack = engine.search(question)
        assert (pack.confidence, pack.band) == (None, "")


def test_a_doubtful_answer_has_patterns_that_match_this_tree(engine: Engine) -> None:
    patterns = [one for one in low(engine).fallbacks if one.kind == "pattern"]
    assert patterns
    for one in patterns:
        place = re.search(r", (\S+):(\d+)$", one.note)
        assert place
        line = (engine.root / place[1]).read_text().split("\n")[int(place[2]) - 1]
        assert re.search(one.text, line)


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")
def test_ripgrep_takes_the_patterns_as_they_are(engine: Engine) -> None:
    for one in low(engine).fallbacks:
        if one.kind == "pattern":
            run = subprocess.run(
                ["rg", "-l", one.text, "."], cwd=engine.root, capture_output=True, check=False
            )
            assert run.returncode == 0, one.text


def test_a_quotation_is_tried_as_it_stands(engine: Engine) -> None:
    pack = engine.search("who prints it", filters=None)
    from trigpoint.search.fallback import fallbacks
    from trigpoint.search.understand import understand

    with engine._snapshot() as snapshot:
        found = fallbacks(
            understand('the text "amount * rate" is odd'), [one.hit for one in pack.hits], snapshot
        )
        nothing = fallbacks(understand("zebra quux"), (), snapshot)
    assert found[0].text == r"(?i)amount\ \*\ rate"
    assert "src/billing/currency.py:2" in found[0].note
    assert nothing == ()


def test_paths_exist_and_other_wordings_are_in_words_of_this_code(engine: Engine) -> None:
    pack = low(engine)
    for one in pack.fallbacks:
        if one.kind == "path":
            assert (engine.root / one.text).exists()
        if one.kind == "question":
            assert engine.search(one.text).hits
    assert {one.kind for one in pack.fallbacks} >= {"pattern", "question"}


def test_reads_are_ranges_of_different_files_with_a_reason(engine: Engine) -> None:
    reads = low(engine).recommended_reads
    assert reads
    assert len({one.span.path for one in reads}) == len(reads)
    for one in reads:
        lines = (engine.root / one.span.path).read_text().split("\n")
        assert 1 <= one.span.start <= one.span.end <= len(lines)
        assert one.why


def test_it_is_written_for_people_and_for_programs(engine: Engine) -> None:
    pack = low(engine)
    said = "\n".join(as_text.notes(pack))
    assert f"confidence {pack.confidence:.2f} (low)" in said
    assert "or rg '" in said
    shown = as_json.search(pack)
    assert shown["band"] == "low" and shown["confidence"] == round(pack.confidence or 0, 3)
    assert shown["fallbacks"][0].keys() == {"kind", "text", "note"}
    assert shown["recommended_reads"][0].keys() >= {"path", "start_line", "end_line", "why"}
    assert "confidence" in as_text.search(pack, Look(color=False, terminal=True))


def test_advice_goes_before_the_last_results_when_the_budget_is_small(engine: Engine) -> None:
    pack = low(engine)._replace(budget=300)
    short = json.loads(fit(pack, lambda one: as_json.line(as_json.search(one)), lambda text: len(text) // 4))
    assert short["results"]
    assert "fallbacks" not in short


def test_the_band_follows_the_probability() -> None:
    bands = {0.95: "high", HIGH: "high", 0.79: "fair", FAIR: "fair", 0.49: "low", None: ""}
    from answers import PACK

    assert {value: PACK._replace(confidence=value).band for value in bands} == bands


def test_words_that_stand_nowhere_lower_it() -> None:
    known = seen((2.0, 1.2))
    here, nowhere = confidence(known), confidence(known._replace(unknown=0.8))
    assert here is not None and nowhere is not None
    assert nowhere < here - 0.1


def test_a_question_about_what_is_not_here_is_not_high(engine: Engine) -> None:
    pack = engine.search("quaternion slerp of the camera rig for vulkan shaders and invoices")
    assert pack.band != "high"
