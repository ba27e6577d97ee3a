"""Weights of the signs of a good ranking, written by benchmarks/quality/calibrate.py: data, not to be edited by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "constant": -3.3325,
    "score": -0.3882,
    "lead": 3.2863,
    "lead-over-fifth": 1.5239,
    "share": 2.1634,
    "legs": -0.0715,
    "bm25": 1.1070,
    "file-bm25": 1.6181,
    "file-name": 0.5531,
    "definition": 1.5262,
    "symbol-words": 0.5305,
    "role": 4.4603,
    "near": 1.2660,
    "unlike": -0.4361,
    "unknown": -2.9335,
    "unseen": 0.1572,
    "words": 0.1105,
    "size": 0.8714,
    "report": -0.4430,
    "name": 0.5152,
    "task": -0.3387,
    "covered": 0.3392,
}
