"""Where the time of a pipeline goes: a section a stage, kept over many questions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import quantiles


@dataclass(frozen=True, slots=True)
class Section:
    """One stage that ran: its label, its time in milliseconds, and what was said of it."""

    label: str
    milliseconds: float
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Summary:
    """All sections of one label: how many, their median and their 95th percentile, in milliseconds."""

    count: int
    p50: float
    p95: float


class Profiler:
    """Records the sections of whatever it is handed to; hand the same one to several pipelines to compare them."""

    def __init__(self) -> None:
        self.sections: list[Section] = []

    @contextmanager
    def section(self, label: str, metadata: Mapping[str, object] | None = None) -> Iterator[None]:
        """Time what happens inside, also when it fails."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.sections.append(Section(label, (time.perf_counter() - began) * 1000.0, dict(metadata or {})))

    def record(self, label: str, milliseconds: float, metadata: Mapping[str, object] | None = None) -> None:
        """A section that was timed elsewhere."""
        self.sections.append(Section(label, milliseconds, dict(metadata or {})))

    def summary(self) -> Mapping[str, Summary]:
        """By label, in the order of first sight."""
        times: dict[str, list[float]] = {}
        for one in self.sections:
            times.setdefault(one.label, []).append(one.milliseconds)
        return {label: _summed(found) for label, found in times.items()}


def _summed(times: list[float]) -> Summary:
    if len(times) == 1:
        return Summary(1, times[0], times[0])
    cuts = quantiles(times, n=100, method="inclusive")
    return Summary(len(times), cuts[49], cuts[94])
