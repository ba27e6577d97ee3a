"""A file that becomes a pipe or a link is linked around, as in an index made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import trigpoint
from equality import differences, everything
from planting import planted

TREE = {
    "lib/__init__.py": "from .use import go\n\n\ndef own():\n    return go()\n",
    "lib/use.py": "def go():\n    return 1\n",
}


@pytest.mark.parametrize("how", ["pipe", "link"])
def test_what_is_no_file_any_more_is_reached_no_more(how: str, tmp_path: Path) -> None:
    root = planted(tmp_path / "tree", TREE)
    place = root / "lib/use.py"
    for index in ("updated", "updated", "fresh"):
        with trigpoint.open(root, index_dir=str(tmp_path / index), workers=1) as engine:
            engine.index()
        if index == "updated" and place.is_file() and not place.is_symlink():
            place.unlink()
            os.mkfifo(place) if how == "pipe" else place.symlink_to("nowhere")
    assert not differences(everything(tmp_path / "updated"), everything(tmp_path / "fresh"))
