"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -3.5658,
    "score": -0.2231,
    "lead": 4.2410,
    "lead-over-fifth": 1.9375,
    "share": 1.7481,
    "legs": 0.0398,
    "bm25": 0.6801,
    "file-bm25": 1.3771,
    "file-name": 0.5308,
    "definition": 1.3925,
    "symbol-words": 1.0296,
    "role": 3.8381,
    "near": 0.7981,
    "unlike": -1.1070,
    "unknown": -4.3612,
    "unseen": 0.2284,
    "words": -0.0485,
    "size": 1.0802,
    "report": -0.2890,
    "name": 0.1746,
}
