"""Past a million rows: an inverted file of bytes by faiss, beside the rows, which are scored again by their own numbers.

Rows that came after it was built are scored one by one, until there are enough of them to build it anew.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint.model import Scored
from trigpoint.services.packages import package
from trigpoint.stores.local.vectors import FOUND, Manifest, VectorTable, faiss_file, moved

if TYPE_CHECKING:
    from trigpoint.stores.local.vectors import Floats, Numbers

LEAST_ROWS = 1_000_000
"""Until here the search by signs is as quick."""
GROWTH = 1.1
"""It is built anew when the rows have grown by this factor."""
_LISTS_BY_ROOT, _TRAINED_BY_LIST = 4, 40
"""Lists for each root of the rows, and rows that each is trained with: what the makers of faiss advise."""
_BLOCK = 65_536
PROBES = (32, 64, 128, 256, 512)
"""Lists looked into; the first that finds enough is kept."""
FAR = 2.0
"""How far from the rows its trial questions are: real ones are farther from all lists than rows from their own."""
_ASKED, _WANTED = 32, 10  # rows that it is tried with, and the nearest of each
ENOUGH = 0.98
"""Share of the exactly nearest that has to be found when it is built."""


def is_wanted(search: str, rows: int) -> bool:
    """Whether the settings ask for it: by name, or by many rows where the package is there."""
    return search == "faiss" or (search == "auto" and rows > LEAST_ROWS and find_spec("faiss") is not None)


def built(folder: Path, manifest: Manifest) -> Manifest:
    """Build it over all rows; the manifest then says so. Raises ConfigError without the package."""
    import numpy as np

    faiss = package("faiss", "faiss")
    table = VectorTable(folder, manifest)
    rows, size = manifest.rows, manifest.dimensions
    lists = max(1, min(int(_LISTS_BY_ROOT * rows**0.5), rows // _TRAINED_BY_LIST))
    kind = faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(size), size, lists, kind, faiss.METRIC_INNER_PRODUCT
    )
    some = np.random.default_rng(0).permutation(rows)[: lists * _TRAINED_BY_LIST]
    index.train(floats(table, np.sort(some)))
    for start in range(0, rows, _BLOCK):
        index.add(floats(table, np.arange(start, min(rows, start + _BLOCK))))
    made = manifest._replace(approximate=rows)
    path = faiss_file(folder, made)
    asked = moved(table.codes[np.linspace(0, rows - 1, _ASKED).astype(np.int64)], FAR)
    right = table.exact_many(asked, _WANTED)
    for probes in PROBES:
        index.nprobe = probes
        if probes >= lists or _found(table, index, asked, right) >= ENOUGH:
            break
    fresh = path.with_name(path.name + ".new")
    faiss.write_index(index, str(fresh))
    os.replace(fresh, path)
    return made._replace(approximate_bytes=path.stat().st_size)


def floats(table: VectorTable, rows: Numbers) -> Floats:
    """Rows as they were before they became bytes, as near as may be."""
    import numpy as np

    made: Floats = table.codes[rows].astype(np.float32) * table.scales[rows, None]
    return np.ascontiguousarray(made)


def opened(path: Path, size: int) -> Any:
    """The index, mapped into memory; None where it is not whole, or the package is missing."""
    try:
        if path.stat().st_size != size:
            return None
        faiss = package("faiss", "faiss")
        faiss.omp_set_num_threads(1)
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
    except Exception:  # its errors are RuntimeErrors without a kind; the search by signs does without
        return None


def near(index: Any, asked: Floats, depth: int) -> Numbers:
    """The rows that it finds."""
    import numpy as np

    rows: Numbers = index.search(np.ascontiguousarray(asked[None]), depth)[1][0]
    return np.sort(rows[rows >= 0])


def _found(table: VectorTable, index: Any, asked: Floats, right: Sequence[Sequence[Scored]]) -> float:
    """Share of the exactly nearest chunks that it finds."""
    import numpy as np

    by_chunk = dict(zip(*(one.tolist() for one in table.by_chunk), strict=True))
    found = total = 0
    for one, exact in zip(asked, right, strict=True):
        rows = np.array([by_chunk[hit.chunk] for hit in exact])
        found += int(np.isin(rows, near(index, one, _WANTED * FOUND)).sum())
        total += len(rows)
    return found / max(1, total)
