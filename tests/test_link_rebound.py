"""Names bound again and again: linking them takes time in proportion, and guesses made on the way change nothing."""

from __future__ import annotations

import time

import pytest

from trigpoint.indexing.linking.memory import Memory
from trigpoint.indexing.run import Options, update
from trigpoint.sources.memory import MemorySource
from trigpoint.stores.memory import MemoryStore

STEPS = range(24)
FORMS = {
    "a.py": "def f():\n    x = make()\n"
    + "".join(f"    x = x.step{n}()\n" for n in STEPS)
    + "    return x.end()\n",
    "a.php": "<?php\nfunction f() {\n    $x = make();\n"
    + "".join(f"    $x = $x->step{n}();\n" for n in STEPS)
    + "    return $x->end();\n}\n",
    "a.js": "function f() {\n  let x = make();\n"
    + "".join(f"  x = x.step{n}();\n" for n in STEPS)
    + "  return x.end();\n}\n",
    "a.rb": "def f\n  x = make()\n" + "".join(f"  x = x.step{n}()\n" for n in STEPS) + "  x.end()\nend\n",
}


@pytest.mark.parametrize("path", FORMS)
def test_a_name_that_is_bound_again_and_again_is_linked_in_no_time(path: str) -> None:
    """Ten such lines took a minute and fifteen no end: every order of them was tried."""
    began = time.process_time()
    update(MemorySource({path: FORMS[path]}), MemoryStore(), Options())
    assert time.process_time() - began < 5


def test_a_guess_is_kept_when_what_it_took_for_unanswered_stays_so_and_dropped_otherwise() -> None:
    asked: list[str] = []

    def answer(memory: Memory, name: str) -> object:
        asked.append(name)
        if name == "none":
            return memory.ask("left", lambda: answer(memory, "left"))
        if name == "left":
            return memory.ask("none", lambda: answer(memory, "none"))
        if name == "some":
            memory.ask("guess", lambda: answer(memory, "guess"))
            return "known"
        return memory.ask("some", lambda: answer(memory, "some"))

    memory = Memory()
    assert memory.ask("none", lambda: answer(memory, "none")) is None
    worked_out = len(asked)
    assert memory.ask("none", lambda: answer(memory, "none")) is None
    assert memory.ask("left", lambda: answer(memory, "left")) is None
    assert len(asked) == worked_out  # both are known
    memory = Memory()
    assert memory.ask("some", lambda: answer(memory, "some")) == "known"
    worked_out = len(asked)
    assert memory.ask("some", lambda: answer(memory, "some")) == "known"
    assert len(asked) == worked_out  # that is known, the guess that was made for it is not
    assert memory.ask("guess", lambda: answer(memory, "guess")) == "known"
    assert len(asked) == worked_out + 1
