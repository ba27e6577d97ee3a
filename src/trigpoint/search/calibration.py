"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -3.2541,
    "score": -0.3001,
    "lead": 3.3439,
    "lead-over-fifth": 1.6411,
    "share": 2.0489,
    "legs": -0.0455,
    "bm25": 0.8893,
    "file-bm25": 1.5239,
    "file-name": 0.4833,
    "definition": 1.4745,
    "symbol-words": 0.5415,
    "role": 3.3521,
    "near": 0.7248,
    "unlike": -0.0353,
    "unknown": -2.9914,
    "unseen": 0.0855,
    "words": 0.0925,
    "size": 0.7709,
    "report": -0.5310,
    "name": 0.4502,
    "task": -0.2204,
    "covered": 0.2416,
}
