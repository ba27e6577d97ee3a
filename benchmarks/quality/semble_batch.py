"""Ask semble a batch of questions; run by an interpreter that has semble installed.

    python semble_batch.py --model DIR [--alpha 0] TREE QUERIES.jsonl LIMIT

`--alpha 0` leaves its embedding out: BM25 and its ranking only. Without `--alpha` semble chooses.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("SEMBLE_CACHE_LOCATION", str(Path(tempfile.gettempdir()) / "semble-bench-cache"))

from semble import SembleIndex


def main() -> None:
    """Index the tree, print one JSON line a question."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="folder of a model2vec model")
    parser.add_argument("--alpha", type=float, help="weight of the embedding, 0 to 1")
    parser.add_argument("tree", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("limit", type=int)
    args = parser.parse_args()
    index = SembleIndex.from_path(args.tree, model_path=args.model)
    for line in args.queries.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)
        found = [one.chunk for one in index.search(asked["query"], top_k=args.limit, alpha=args.alpha)]
        places = [{"path": c.file_path, "start_line": c.start_line, "end_line": c.end_line} for c in found]
        print(json.dumps({"id": asked["id"], "results": places}))


if __name__ == "__main__":
    main()
