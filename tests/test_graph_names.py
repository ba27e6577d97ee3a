"""What a NAME means: every way in which people write one."""

from __future__ import annotations

import pytest

from graphs import snapshot_with
from trigpoint.graph.aliases import aliases
from trigpoint.graph.names import meant

FILES = {
    "farm/gate.py": "def latch(n):\n    return n\n\n\nclass Gate:\n    def latch(self):\n        return latch(1)\n\n    class Bolt:\n        def latch(self):\n            return 2\n",
    "other/gate.py": "def latch(n):\n    return n\n",
    "use.py": "import farm.gate as fg\nfrom farm.gate import Gate as Door, latch as shut\nimport numpy as np\n\n\ndef go():\n    return shut(1), fg.latch(2), Door(), np.ones(3)\n",
    "web/index.js": "export { haul as pull } from './haul.js';\n",
    "web/haul.js": "export function haul(n) { return n; }\n",
    "web/main.js": "import { pull } from './index.js';\nexport function work() { return pull(1); }\n",
    "web/tram.js": "export class Tram {\n  #apply(n) { return n; }\n  run() { return this.#apply(1); }\n}\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("latch", ["farm/gate.py latch", "other/gate.py latch", "farm/gate.py Gate.latch", "farm/gate.py Gate.Bolt.latch"]),
        ("latch()", ["farm/gate.py latch", "other/gate.py latch", "farm/gate.py Gate.latch", "farm/gate.py Gate.Bolt.latch"]),
        ("Gate.latch", ["farm/gate.py Gate.latch"]),
        ("Gate::latch", ["farm/gate.py Gate.latch"]),
        ("Gate#latch", ["farm/gate.py Gate.latch"]),
        ("Bolt.latch", ["farm/gate.py Gate.Bolt.latch"]),
        ("farm.gate.latch", ["farm/gate.py latch"]),
        ("gate.latch", ["farm/gate.py latch", "other/gate.py latch"]),
        ("farm.gate.Gate.latch", ["farm/gate.py Gate.latch"]),
        ("farm/gate.py latch", ["farm/gate.py latch"]),
        ("farm/gate.py#Gate.latch", ["farm/gate.py Gate.latch"]),
        ("farm/gate.py:6", ["farm/gate.py Gate.latch"]),
        ("farm/gate.py:4", ["farm/gate.py farm/gate.py"]),
        ("farm/gate.py", ["farm/gate.py farm/gate.py"]),
        ("LATCH", ["farm/gate.py latch", "other/gate.py latch", "farm/gate.py Gate.latch", "farm/gate.py Gate.Bolt.latch"]),
        ("Door", ["farm/gate.py Gate"]),
        ("shut", ["farm/gate.py latch"]),
        ("fg", ["farm/gate.py farm/gate.py"]),
        ("Tram.#apply", ["web/tram.js Tram.#apply"]),
        ("pull", ["web/haul.js haul"]),
        ("np", []),
        ("nothing", []),
        ("", []),
        ("...", []),
    ],
)  # fmt: skip
def test_a_name_means(name: str, expected: list[str]) -> None:
    found = meant(name, snapshot_with(FILES))
    assert [f"{one.path} {one.symbol.qualified}" for one in found.symbols] == expected


def test_a_file_is_meant_as_a_whole_and_another_spelling_is_said() -> None:
    assert meant("use.py", snapshot_with(FILES)).file
    assert "another spelling" in meant("LATCH", snapshot_with(FILES)).note
    assert "Door is a name of Gate" in meant("Door", snapshot_with(FILES)).note


def test_an_alias_of_something_outside_has_no_target() -> None:
    (found,) = aliases("np", snapshot_with(FILES))
    assert (found.path, found.item.module, found.targets) == ("use.py", "numpy", ())
