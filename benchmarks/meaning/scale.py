"""Search over many vectors: CPU time of a question, and recall against the exact search, by signs at each depth and by faiss.

usage: scale.py ROWS QUESTIONS.txt INDEX... [--faiss]

INDEX are folders of indexes made by trig, whose rows are taken, and taken again a little moved until there are ROWS; QUESTIONS
holds one question a line. Rows are written block by block and mapped: 0.3 GB of disk for a million, removed at the end.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trigpoint.embedders.static import StaticEmbedder
from trigpoint.stores.local import vector_faiss, vector_writer
from trigpoint.stores.local.vectors import FOLDER, Manifest, VectorTable, packed, row_file

WANTED, MOST_QUESTIONS, BLOCK = 10, 60, 65_536
DEPTHS = (3_000, 10_000, 30_000)
MOVED = 0.6
"""Length of what is added to a row that comes again, against 1 of the row: copies are then .86 alike."""


def rows_of(indexes: list[str]) -> np.ndarray:
    """The vectors of real indexes."""
    some = []
    for one in indexes:
        found = Manifest.read(Path(one) / FOLDER)
        if found is not None and found.rows:
            table = VectorTable(Path(one) / FOLDER, found)
            some.append(vector_faiss.floats(table, table.live))
    return np.vstack(some)


def blocks(real: np.ndarray, count: int) -> Iterator[np.ndarray]:
    """So many rows: the real ones, then moved ones."""
    dice = np.random.default_rng(0)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        own = real[start : start + size]
        again = real[dice.integers(0, len(real), size - len(own))]
        noise = dice.standard_normal(again.shape, np.float32) * (MOVED / again.shape[1] ** 0.5)
        yield np.vstack([own, again + noise * np.linalg.norm(again, axis=1, keepdims=True)])


def table_of(folder: Path, real: np.ndarray, count: int) -> Manifest:
    """The files of an index with so many rows."""
    kinds = ("codes", "scales", "signs")
    files = {kind: open(row_file(folder, kind, 1), "wb") for kind in kinds}  # noqa: SIM115 - closed below
    for rows in blocks(real, count):
        scales = np.maximum(np.abs(rows).max(1), 1e-9) / 127
        files["codes"].write(np.rint(rows / scales[:, None]).astype(np.int8).tobytes())
        files["scales"].write(scales.astype(np.float32).tobytes())
        files["signs"].write(packed(rows).tobytes())
    for file in files.values():
        file.close()
    ids = np.arange(count)
    np.savez(folder / "chunks.npz", ids=ids, rows=ids, files=ids[:1], digests=np.array(["x"]))
    return Manifest("scale", real.shape[1], 1, 1, count, "chunks.npz")


def measured(name: str, table: VectorTable, asked: np.ndarray, exact: list[set[int]]) -> None:
    """Print recall and CPU time of a way to search."""
    table.nearest(asked[0], WANTED)  # what is opened once
    times, found = [], 0
    for one, right in zip(asked, exact, strict=True):
        began = time.process_time()
        hits = table.nearest(one, WANTED)
        times.append(1000 * (time.process_time() - began))
        found += len(right & {hit.chunk for hit in hits})
    recall = found / (WANTED * len(asked))
    middle, worst = np.median(times), np.quantile(times, 0.95)
    print(f"{name:24} recall@10 {recall:.3f}, p50 {middle:.1f} ms, p95 {worst:.1f} ms CPU", flush=True)


def main() -> None:
    """Make, search, print."""
    given = [one for one in sys.argv[1:] if one != "--faiss"]
    count, questions = int(given[0]), Path(given[1]).read_text().splitlines()
    asked = StaticEmbedder().encode_queries(questions[:: max(1, len(questions) // MOST_QUESTIONS)])
    real = rows_of(given[2:])
    with tempfile.TemporaryDirectory() as place:
        manifest = table_of(Path(place), real, count)
        table = VectorTable(Path(place), manifest, "exact")
        print(f"{count:,} rows, {len(real):,} of them real; {len(asked)} questions", flush=True)
        began = time.process_time()
        exact = [{hit.chunk for hit in some} for some in table.exact_many(asked, WANTED)]
        print(f"exact: {1000 * (time.process_time() - began) / len(asked):.0f} ms CPU a question", flush=True)
        for depth in DEPTHS:
            vectors = VectorTable(Path(place), manifest._replace(depth=depth), "signs")
            measured(f"signs, {depth:,} scored", vectors, asked, exact)
        if "--faiss" in sys.argv:
            began = time.process_time()
            built = vector_faiss.built(Path(place), manifest)
            print(f"faiss built in {time.process_time() - began:.0f} s CPU", flush=True)
            measured("faiss", VectorTable(Path(place), built, "faiss"), asked, exact)
        began = time.process_time()
        ready = vector_writer.findable(Path(place), manifest, "signs")
        print(
            f"measured by itself: recall {ready.recall}, depth {ready.depth:,}, {time.process_time() - began:.0f} s CPU"
        )


if __name__ == "__main__":
    main()
