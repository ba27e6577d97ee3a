"""Ctrl-C while an index is written: the first one is a request to stop soon, the second one stops at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Self


class Interrupts:
    """As a context, ``asked`` turns true at the first Ctrl-C, and the second raises KeyboardInterrupt.

    So no write is cut in half by the first. Outside the main thread, or where the program handles Ctrl-C in its own
    way, nothing is changed.
    """

    def __init__(self) -> None:
        self.asked = False
        self._former: Any = None

    def __enter__(self) -> Self:
        mine = threading.current_thread() is threading.main_thread()
        if mine and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._former = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._former is not None:
            signal.signal(signal.SIGINT, self._former)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
