"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -2.2321,
    "score": -0.4318,
    "lead": 2.5665,
    "lead-over-fifth": 0.6036,
    "share": 3.8639,
    "legs": 0.0123,
    "bm25": 0.8673,
    "file-bm25": 0.6507,
    "file-name": 0.3274,
    "definition": 1.6010,
    "symbol-words": 1.3441,
    "role": 0.0000,
    "near": 0.6731,
    "unlike": -1.3220,
    "words": -0.2200,
    "size": 1.2073,
    "report": -0.5607,
    "name": -0.0066,
}
