"""What tells that a tree may have changed: the system's notices or, where there are none, looking again and again.

A stir is a reason to look, never a list of changes: what has changed is for the update to find, by the same listing that
`trig index` uses. So an atomic save, a rename and an edited ignore file are right without a rule of their own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from trigpoint.errors import SourceError

TICK_SECONDS = 0.4
"""How often a quiet watch looks whether its folder is still there: one call of the system."""
POLL_SECONDS = 1.0
"""How often the tree is listed where the system gives no notices, when listing is cheap."""
LOOK_SECONDS = 60.0
"""The same where it does give them: they can be lost, when too many come at once."""
POLL_SHARE, LOOK_SHARE = 0.1, 0.02
"""Most of one core that such listing may take."""
GONE_SECONDS = 0.5

_REMOTE_TEXT = """
    nfs nfs4 cifs smb3 smbfs smb2 9p afs ceph glusterfs fuse.sshfs fuse.s3fs fuse.gcsfuse fuse.rclone lustre vboxsf
    prl_fs virtiofs fuse.vmhgfs-fuse drvfs
"""
_REMOTE = frozenset(_REMOTE_TEXT.split())
"""File systems of Linux whose other side changes files without a notice here."""


class Wish(NamedTuple):
    """How a tree is watched."""

    quiet_seconds: float = 0.2  # without a further change, before a burst of them is over
    poll: bool = False


class Stir(NamedTuple):
    """Something to act upon."""

    kind: str  # ready: what comes from here on is told; changed; gone; polling
    note: str = ""


class Watcher:
    """Watches one folder, through its removal and return."""

    def __init__(
        self,
        root: str,
        wish: Wish,
        stamp: Callable[[], str],
        concerns: Callable[[Collection[str]], bool],
    ) -> None:
        """``stamp`` tells two states of the tree apart, ``concerns`` whether changes at these paths can matter."""
        self._root = root
        self._wish = wish
        self._stamp = stamp
        self._concerns = concerns
        self._again = float("inf")

    def again_in(self, seconds: float) -> None:
        """Stir after so many seconds at the latest."""
        self._again = time.monotonic() + seconds

    def stirs(self) -> Iterator[Stir]:
        """For ever; the tree is to be read at each "ready" and "changed"."""
        reason = "as asked" if self._wish.poll else remote(self._root)
        if reason:
            yield Stir("polling", reason)
        while True:
            if _identity(self._root) is None:
                yield Stir("gone", "the folder is gone; the index stays as it is until it is back")
                while _identity(self._root) is None:
                    time.sleep(GONE_SECONDS)
            try:
                yield from self._polled() if reason else self._notified()
            except FileNotFoundError:  # the folder went while we were about to watch it
                continue
            except (OSError, RuntimeError) as error:
                said = str(error).split(". ")[0]
                reason = f"the system gives no notices: {said}"
                yield Stir("polling", reason)

    def _notified(self) -> Iterator[Stir]:
        """Ends when the folder goes, or another one takes its place.

        Raises OSError or RuntimeError when the system has no room for so many notices, or a folder may not be read.
        """
        from watchfiles import Change, watch

        identity = _identity(self._root)
        looks = _Looks(self._stamp, LOOK_SECONDS, LOOK_SHARE)
        quiet = round(self._wish.quiet_seconds * 1000)
        told = watch(
            self._root,
            watch_filter=None,
            debounce=max(2_000, 5 * quiet),
            step=max(10, quiet),
            rust_timeout=round(TICK_SECONDS * 1000),
            yield_on_timeout=True,
            force_polling=False,
            ignore_permission_denied=False,  # it would leave out the folders after that one, and hide a limit
        )
        ready = False
        for changes in told:
            paths = [path for _, path in changes]
            if _identity(self._root) != identity or (Change.deleted, self._root) in changes:
                return
            if not ready:
                ready = True
                yield Stir("ready")
            elif self._concerns([self._inside(path) for path in paths]) or self._due() or looks.differ():
                yield Stir("changed")

    def _polled(self) -> Iterator[Stir]:
        """Ends when the folder goes."""
        identity = _identity(self._root)
        looks = _Looks(self._stamp, POLL_SECONDS, POLL_SHARE)
        yield Stir("ready")
        while _identity(self._root) == identity:
            time.sleep(min(TICK_SECONDS, self._wish.quiet_seconds))
            if self._due() or looks.differ():
                yield Stir("changed")

    def _due(self) -> bool:
        due = time.monotonic() >= self._again
        if due:
            self._again = float("inf")
        return due

    def _inside(self, path: str) -> str:
        return os.path.relpath(path, self._root).replace(os.sep, "/")


class _Looks:
    """Looks at a stamp now and then, no more often than ``seconds`` and for no more than a share of the time."""

    def __init__(self, stamp: Callable[[], str], seconds: float, share: float) -> None:
        self._stamp, self._seconds, self._share = stamp, seconds, share
        self._last = self._look()

    def _look(self) -> str:
        began = time.process_time()
        try:
            return self._stamp()
        except SourceError:  # gone: the watcher itself will see that
            return ""
        finally:
            cost = time.process_time() - began
            self._next = time.monotonic() + max(self._seconds, cost / self._share)

    def differ(self) -> bool:
        """Whether it is time to look and the tree is another one than at the last look."""
        if time.monotonic() < self._next:
            return False
        former, self._last = self._last, self._look()
        return self._last != former


def _identity(root: str) -> tuple[int, int] | None:
    """Which folder stands at the root now; None when there is none that can be listed."""
    try:
        status = os.stat(root)
        with os.scandir(root):
            return status.st_dev, status.st_ino
    except OSError:
        return None


def remote(root: str, table: str = "/proc/self/mountinfo") -> str:
    """Why the system's notices do not tell all of a folder: it lies on a network or a host. "" when they do."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as lines:
            mounts = [line.split() for line in lines]
    except OSError:
        return ""
    kinds = {_plain(words[4]): words[words.index("-") + 1] for words in mounts if "-" in words}
    folder = root
    while folder not in kinds and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    kind = kinds.get(folder, "")
    return (
        f"{folder} is a {kind} mount, which tells nothing of changes made elsewhere"
        if kind in _REMOTE
        else ""
    )


def _plain(place: str) -> str:
    """A path as the table of mounts writes it: blanks and backslashes are octal."""
    for octal, plain in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(octal, plain)
    return place
