"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -2.8935,
    "score": -0.3454,
    "lead": 3.4971,
    "lead-over-fifth": 1.8269,
    "share": 2.0736,
    "legs": 0.0748,
    "bm25": 1.2284,
    "file-bm25": 0.6186,
    "file-name": 0.5633,
    "definition": 1.7042,
    "symbol-words": 1.4259,
    "role": 3.8219,
    "near": 0.6578,
    "unlike": -1.5763,
    "unknown": -4.2359,
    "unseen": -0.0833,
    "words": -0.0601,
    "size": 1.2940,
    "report": -0.1523,
    "name": 0.1381,
}
