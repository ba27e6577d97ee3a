"""Search over many vectors: CPU time of a question, and recall of the search by signs against the exact one, by depth.

usage: scale.py PAIRS.jsonl ROWS      pairs as training/clean.py writes them; with more rows than pairs they come again, a little moved
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np

from trigpoint.embedders.static import StaticEmbedder
from trigpoint.model import Passage
from trigpoint.stores.local import vectors
from trigpoint.stores.local.vectors import Manifest, VectorTable, packed, row_file

QUESTIONS, WANTED = 100, 10
DEPTHS = (1_000, 3_000, 10_000, 30_000)


def table_of(folder: Path, rows: np.ndarray) -> VectorTable:
    """The files of an index for these vectors."""
    scales = np.abs(rows).max(1) / 127
    columns = {
        "codes": np.rint(rows / scales[:, None]).astype(np.int8),
        "scales": scales.astype(np.float32),
        "signs": packed(rows),
    }
    for kind, values in columns.items():
        row_file(folder, kind, 1).write_bytes(values.tobytes())
    count = np.arange(len(rows))
    np.savez(folder / "chunks.npz", ids=count, rows=count, files=count[:1], digests=np.array(["x"]))
    return VectorTable(folder, Manifest("scale", rows.shape[1], 1, 1, len(rows), "chunks.npz"))


def main() -> None:
    """Encode, search, print."""
    wanted = int(sys.argv[2])
    model = StaticEmbedder()
    with open(sys.argv[1]) as file:
        pairs = [json.loads(line) for line in islice(file, wanted + QUESTIONS * 50)]
    asked = model.encode_queries([one["doc"] for one in pairs[:: len(pairs) // QUESTIONS][:QUESTIONS]])
    rows = model.encode_documents([Passage(one["body"], one["name"]) for one in pairs[:wanted]])
    rows = rows[np.linalg.norm(rows, axis=1) > 0]
    if len(rows) < wanted:
        dice = np.random.default_rng(0)
        more = rows[dice.integers(0, len(rows), wanted - len(rows))]
        rows = np.vstack(
            [rows, more + dice.standard_normal(more.shape, np.float32) * 0.3 / more.shape[1] ** 0.5]
        )
    with tempfile.TemporaryDirectory() as place:
        table = table_of(Path(place), rows)
        exact = [{one.chunk for one in table.exact(one, WANTED)} for one in asked]
        for depth in DEPTHS:
            vectors.LEAST_RESCORED = depth
            times, found = [], 0
            for one, right in zip(asked, exact, strict=True):
                began = time.process_time()
                hits = table.nearest(one, WANTED)
                times.append(time.process_time() - began)
                found += len(right & {hit.chunk for hit in hits})
            recall = found / (WANTED * len(asked))
            print(
                f"{len(rows):,} rows, depth {depth:,}: recall@10 {recall:.3f}, p50 {1000 * float(np.median(times)):.1f} ms"
            )


if __name__ == "__main__":
    main()
