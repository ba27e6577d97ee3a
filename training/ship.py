"""A trained model -> the files of the package: int8 with one scale a word, two weights a word, the words, and a fingerprint.

usage: ship.py MODEL.npz VOCABULARY FOLDER
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

NAME = "trigpoint-static-2"


def main() -> None:
    """Write the folder."""
    model, vocabulary, folder = np.load(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    words = [line.split("\t")[0] for line in vocabulary.read_text().splitlines()]
    table = model["table"]
    scale = np.maximum(np.abs(table).max(1), 1e-9) / 127
    codes = np.rint(table / scale[:, None]).astype(np.int8)
    weights = np.stack([scale * model[side] for side in ("asked", "written")], 1)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "table.npy", codes)
    np.save(folder / "weights.npy", weights.astype(np.float32))
    (folder / "words.txt").write_text("\n".join(words))
    digest = hashlib.sha256()
    for name in ("table.npy", "weights.npy", "words.txt"):
        digest.update((folder / name).read_bytes())
    about = {
        "name": NAME,
        "dimensions": int(table.shape[1]),
        "words": len(words),
        "fingerprint": f"{NAME}-{digest.hexdigest()[:16]}",
    }
    (folder / "model.json").write_text(json.dumps(about, indent=2) + "\n")
    print(about, sum(one.stat().st_size for one in folder.iterdir()), "bytes")


if __name__ == "__main__":
    main()
