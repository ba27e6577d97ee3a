"""What is put into one file of a client, as an edit that can be made, recognised and taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any, NamedTuple, Protocol

from trigpoint.surfaces.install import jsonc, toml_tables

BEGIN, END = "<!-- trigpoint: begin -->", "<!-- trigpoint: end -->"


class Edit(Protocol):
    """One thing of ours in a text. All raise Malformed for a text that cannot be read."""

    def there(self, text: str) -> bool:
        """Whether the text has it, exactly as it would be put in."""
        ...

    def added(self, text: str) -> str:
        """The text with it, in place of an older one."""
        ...

    def removed(self, text: str) -> str | None:
        """The text without it; None when nothing is left that is not ours."""
        ...


class JsonEntry(NamedTuple):
    """A member of a JSON file. Where ``other`` leads to an object, the entry belongs there instead."""

    keys: Sequence[str]
    value: Mapping[str, Any]
    strict: bool
    other: Sequence[str] = ()

    def _keys(self, text: str) -> Sequence[str]:
        if self.other:
            node = jsonc.found(text, self.other[:-1], strict=self.strict)
            if node is not None and node.kind == "object":
                return self.other
        return self.keys

    def there(self, text: str) -> bool:
        """Whether the entry is there with this value."""
        node = jsonc.found(text, self._keys(text), strict=self.strict)
        return node is not None and jsonc.data(text, node) == self.value

    def added(self, text: str) -> str:
        """With the entry."""
        return jsonc.put(text, self._keys(text), self.value, strict=self.strict)

    def removed(self, text: str) -> str | None:
        """Without the entry."""
        return jsonc.drop(text, self._keys(text), strict=self.strict)


class JsonItem(NamedTuple):
    """An item of an array of a JSON file, told by a word in it."""

    keys: Sequence[str]
    value: Mapping[str, Any]
    mark: str
    strict: bool

    def _is_ours(self, value: Any) -> bool:
        return self.mark in dumps(value)

    def _items(self, text: str) -> list[Any]:
        node = jsonc.found(text, self.keys, strict=self.strict)
        items = jsonc.data(text, node) if node is not None else []
        return items if isinstance(items, list) else []

    def there(self, text: str) -> bool:
        """Whether exactly this item is there."""
        return [one for one in self._items(text) if self._is_ours(one)] == [self.value]

    def added(self, text: str) -> str:
        """With the item at the end."""
        return jsonc.put_item(self.removed(text), self.keys, self.value, strict=self.strict)

    def removed(self, text: str) -> str:
        """Without every such item."""
        return jsonc.drop_items(text, self.keys, self._is_ours, strict=self.strict)


class TomlEntry(NamedTuple):
    """A table of a TOML file."""

    keys: Sequence[str]
    value: Mapping[str, Any]

    def there(self, text: str) -> bool:
        """Whether the table is there with this value."""
        return bool(toml_tables.found(text, self.keys) == self.value)

    def added(self, text: str) -> str:
        """With the table."""
        return toml_tables.put(text, self.keys, self.value)

    def removed(self, text: str) -> str | None:
        """Without the table."""
        return toml_tables.drop(text, self.keys)


class Section(NamedTuple):
    """A part of a Markdown file between two marks."""

    body: str

    def _text(self) -> str:
        return f"{BEGIN}\n{self.body.strip()}\n{END}\n"

    def _span(self, text: str) -> tuple[int, int] | None:
        start = text.find(BEGIN)
        end = text.find(END, start)
        if start < 0 or end < 0:
            return None
        end += len(END)
        for newline in ("\r\n", "\n"):
            if text.startswith(newline, end):
                return start, end + len(newline)
        return start, end

    def there(self, text: str) -> bool:
        """Whether the section is there with this body."""
        span = self._span(text)
        return span is not None and text[slice(*span)].replace("\r\n", "\n") == self._text()

    def added(self, text: str) -> str:
        """With the section at its place, or at the end."""
        newline = "\r\n" if "\r\n" in text else "\n"
        made, span = self._text().replace("\n", newline), self._span(text)
        if span is not None:
            return text[: span[0]] + made + text[span[1] :]
        head = text + newline * (bool(text) and not text.endswith("\n"))
        return head + newline * bool(head) + made

    def removed(self, text: str) -> str | None:
        """Without the section and the empty line before it."""
        span = self._span(text)
        if span is None:
            return text
        head, tail = text[: span[0]], text[span[1] :]
        if head.endswith(("\n\n", "\n\r\n")) and not tail.strip():
            head = head.removesuffix("\n").removesuffix("\r")
        return (head + tail) if (head + tail).strip() else None


class WholeFile(NamedTuple):
    """A file that is ours alone."""

    text: str

    def there(self, text: str) -> bool:
        """Whether it is the one that would be written."""
        return text == self.text

    def added(self, text: str) -> str:
        """The file."""
        return self.text

    def removed(self, text: str) -> str | None:
        """Nothing, unless somebody has changed it: then it is theirs."""
        return None if text == self.text else text
