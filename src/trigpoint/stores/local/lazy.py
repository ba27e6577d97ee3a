"""Rows that stay packed until they are read: of most files that linking loads it never looks at the uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from trigpoint.stores.local.packing import unpack


class Packed(Sequence[Any]):
    """A sequence over packed rows, unpacked each time it is gone through; equal to the tuple of its rows."""

    __slots__ = ("_data", "_made")

    def __init__(self, data: bytes, made: Callable[[tuple[Any, ...]], Any]) -> None:
        self._data = data
        self._made = made

    def __iter__(self) -> Iterator[Any]:
        return map(self._made, unpack(self._data))

    def __len__(self) -> int:
        return len(unpack(self._data))

    def __bool__(self) -> bool:
        return bool(self._data)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Packed) and self._data == other._data:
            return True
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))
