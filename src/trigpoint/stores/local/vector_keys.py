"""Which row a key has, without an object for each: half a million keys are 8 MB here and 75 MB in a dictionary."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_FEW = 30
"""Keys that are looked for among all: sorting these first costs as much."""


class KnownKeys:
    """The keys of rows that are written, one row each."""

    def __init__(self, keys: NDArray[np.void]) -> None:
        import numpy as np

        self._keys = keys
        self._halves = (
            np.frombuffer(keys.tobytes(), "<u8").reshape(len(keys), -1)[:, 0]
            if len(keys)
            else np.zeros(0, "<u8")
        )
        self._asked = 0

    def row(self, key: bytes) -> int | None:
        """The row of a key; None when it has none."""
        import numpy as np

        first = np.frombuffer(key, "<u8", 1)[0]
        self._asked += 1
        if self._asked <= _FEW:
            near = np.flatnonzero(self._halves == first).tolist()
        else:
            in_order, order = self._sorted
            start, end = np.searchsorted(in_order, first), np.searchsorted(in_order, first, "right")
            near = order[start:end].tolist()
        return next((row for row in near if self._keys[row].tobytes() == key), None)

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """The first halves of the keys in order, and their rows."""
        import numpy as np

        order = np.argsort(self._halves, kind="stable").astype(np.int32)
        return self._halves[order], order
