"""`trig tree`: write the tree of digests down, read it again, compare."""

from __future__ import annotations

import json
import os
import sys
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint.errors import NotFoundError, UsageError
from trigpoint.render import tree as render
from trigpoint.render.json import line

if TYPE_CHECKING:
    from trigpoint.indexing.tree import TreeState
    from trigpoint.surfaces.cli import Asked


def tree(asked: Asked) -> int:
    """What the tree is, or how two states of it differ; to be equal is to have found nothing."""
    request = asked.request
    if request.what == "export":
        return _export(asked)
    if request.what != "diff":
        raise UsageError(f"what cannot be {request.what!r}", "trig tree export, or trig tree diff A [B]")
    if not request.first:
        raise UsageError("diff needs a file to compare with", "trig tree export > before.json writes one")
    before = read_state(Path(request.first))
    after = read_state(Path(request.second)) if request.second else None
    found = asked.engine().tree_difference(before, after, update=request.update)
    asked.show(lambda: render.differences(found, asked.look), lambda: render.differing(found))
    return 0 if found.files else 1


def _export(asked: Asked) -> int:
    from trigpoint import __version__

    request = asked.request
    if request.second:
        raise UsageError("export takes one word, the project", "diff compares two files")
    if request.first:  # the word after export is the project
        asked = type(asked).of(asked.parsed._replace(root=request.first))
    state = asked.engine().tree(update=request.update)
    sys.stdout.write(line(render.exported(state, __version__)))
    return 0 if state.files else 1


def read_state(path: Path) -> TreeState:
    """What `trig tree export` wrote, checked against the digest of its root.

    Raises NotFoundError when there is no such file, UsageError when it is none of ours or was changed.
    """
    from trigpoint.indexing.tree import TreeState

    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise NotFoundError(
            f"{path} cannot be read: {error.strerror}", "give a file that export wrote"
        ) from error
    try:
        data = json.loads(text)
        if data["tree"] > render.FORMAT:
            raise UsageError(
                f"{path} has format {data['tree']}, this version reads {render.FORMAT}", "update Trigpoint"
            )
        files = tuple(map(_file, data["files"]))
        state = TreeState(files, data["head"], data["branch"], data["generation"], 0, data["settings"])
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} is no tree that export wrote", "trig tree export > FILE writes one"
        ) from error
    if state.tree.digest != data["root"]:
        raise UsageError(
            f"{path} was changed: its files do not make its root", "export it anew: trig tree export > FILE"
        )
    return state


def _file(row: dict[str, Any]) -> Any:
    from trigpoint.indexing.tree import TreeFile

    path = os.fsdecode(b64decode(row["path_bytes"])) if "path_bytes" in row else row["path"]
    return TreeFile(path, row["digest"], row["bytes"], row["mtime_ns"], row["level"], row["reason"])
