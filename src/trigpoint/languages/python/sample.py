"""A lending desk, written to hold the forms that outlines tend to lose."""

from __future__ import annotations

import os.path
import sys as system
from collections.abc import (
    Callable,
    Iterator as Stream,
)
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Generic, Literal, overload

from . import shelf
from ..stock.ledger import *

if TYPE_CHECKING:
    from .people import Reader

try:
    import fastjson as json
except ImportError:
    import json

__all__ = ["Desk", "lend"]
__all__ += ["Loan"]

# Days that a book may stay out.
LIMIT: int = 28
first, (second, *rest) = shelf.rows(), (1, 2, 3)
registry: dict[str, Callable] = {}
double = lambda number: scale(number, 2)
type Pair[K, V] = tuple[K, V]


def logged(level="info"):
    def outer(function):
        @wraps(function)
        def inner(*args, **kwargs):
            return function(*args, **kwargs)

        return inner

    return outer


@dataclass(frozen=True)
class Loan[T: Reader]:
    """One book, out."""

    reader: T
    title: str = ""
    notes: list[str] = field(default_factory=list)
    LONGEST = LIMIT * 2


class Desk(shelf.Base, Generic[T], metaclass=Meta):
    """Where loans
    are made.

    More words.
    """

    class Error(Exception):
        pass

    open_hours, closed = (9, 17), None
    stamp = lambda self: self.ink.press()

    def __init__(self, ledger: "Ledger", size: int | None = None, *, log: Log = None):
        self.ledger = ledger
        self.size: int = size or measure()
        self.log = log if log else Log(level=LIMIT)
        self.left, self.right = Arm(), Arm(other=True)

    @property
    def limit(self) -> int:
        return self._limit

    @limit.setter
    def limit(self, value):
        self._limit = value

    @cached_property
    def staff(self) -> list[Reader]:
        return [Reader(name) for name in self.ledger if name and name.isalpha()]

    @overload
    def find(self, key: int) -> Loan: ...
    @overload
    def find(self, key: str) -> Loan | None: ...
    def find(self, key):
        # by number, or by title
        return self.ledger.get(key) or self.search(key).first()

    @staticmethod
    def parse(line: str, mode: Literal["strict", "loose"] = "strict") -> Loan:
        match line.split(","):
            case [title, *others] if others:
                return Loan(title, *others)
            case {"title": title, **more}:
                return Loan(title)
            case shelf.Card(title=title) | shelf.Slip() as found:
                return found.loan()
            case shelf.EMPTY:
                raise Desk.Error
            case _:
                pass

    @classmethod
    async def serve(cls, queue) -> None:
        async with queue.lock() as lock, shelf.door():
            async for reader in queue:
                await cls.greet(reader, lock)


if system.platform == "win32":

    def clear():
        return os.path.join("a", "b")
else:

    def clear():
        return None


@logged(level="debug")
def lend(reader: Reader, *titles: str, limit=LIMIT, key=double) -> Stream[Loan]:
    """Lend all of the titles."""
    global registry
    count = 0
    for index, title in enumerate(titles):
        try:
            if (loan := make(reader, title)) is not None and count < limit:
                yield loan
        except (KeyError, shelf.Missing) as problem:
            report(problem, on_error=shelf.close)
        try:
            count += 1
        except* Desk.Error:
            raise Refused from None
    registry = {"lend": lend, reader.name: key}

    class Receipt:
        def total(self):
            def add(a, b):
                return a + b if a else b

            return add(1, 2)

    desk, _ = open_desk(reader), None
    desk.find(titles[0])
    return sorted(titles, key=lambda title: title.lower())


if __name__ == "__main__":
    lend(*system.argv[1:])
