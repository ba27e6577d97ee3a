"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -2.5237,
    "score": -0.1046,
    "lead": 3.9246,
    "lead-over-fifth": 2.0535,
    "share": 1.5763,
    "legs": 0.0299,
    "bm25": 0.5924,
    "file-bm25": 0.5165,
    "file-name": 0.2207,
    "definition": 1.3032,
    "symbol-words": 1.4800,
    "role": 0.0000,
    "near": 0.5095,
    "unlike": -1.4006,
    "words": -0.1362,
    "size": 0.5816,
    "report": -0.3448,
    "name": 0.0307,
}
