"""A source with files that misbehave, importable by worker processes."""

import os
import time

from trigpoint.model import SourceEntry, SourceFile, Stat
from trigpoint.sources.memory import MemorySource


class OddSource(MemorySource):
    """Reads by the name of the file: some never end, some kill the process, some raise, some take their time."""

    def read(self, entry: SourceEntry) -> SourceFile:
        if "hang" in entry.path:
            time.sleep(3600)
        if "kill" in entry.path:
            os._exit(9)
        if "raise" in entry.path:
            raise RuntimeError("no such luck")
        if "slow" in entry.path:
            time.sleep(0.2)
        return super().read(entry)


class FixedStat(MemorySource):
    """All files have the same stat data for ever, as on a file system whose clock stands still."""

    stat = Stat(4, 1_000_000_000_123, 1_000_000_000_123, 7)

    def entries(self):
        return (entry._replace(stat=self.stat) for entry in super().entries())
