"""Models of one start -> one that is better than each: vectors by their mean, weights by their geometric mean.

usage: average.py OUT.npz MODEL.npz...
"""

from __future__ import annotations

import sys

import numpy as np


def main() -> None:
    """Average."""
    models = [np.load(path) for path in sys.argv[2:]]
    columns = {
        side: np.exp(np.mean([np.log(model[side]) for model in models], 0)).astype(np.float32)
        for side in ("asked", "written")
    }
    np.savez(sys.argv[1], table=np.mean([model["table"] for model in models], 0), **columns)


if __name__ == "__main__":
    main()
