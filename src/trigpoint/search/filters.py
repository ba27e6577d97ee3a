"""Filters written inside a question: ``lang:python kind:method path:src/** -path:tests name:open complexity:>10``.

Only these keys are filters; ``col:val`` is plain text. A value with spaces stands in double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from trigpoint.errors import UsageError
from trigpoint.model import Filters

_KEYS: Mapping[str, str] = {
    "lang": "languages",
    "language": "languages",
    "kind": "kinds",
    "path": "paths",
    "-path": "not_paths",
    "name": "names",
    "complexity": "complexity",
}
_FILTER = re.compile(r'(?:(?<=\s)|^)(?P<key>-?[a-z]+):(?P<value>"[^"]*"|[^\s"]+)(?=\s|$)')
_COMPLEXITY = re.compile(r"(?:[<>]=?|=)?\d+\Z")


def split(text: str) -> tuple[str, Filters]:
    """The text without its filters, and the filters.

    Raises UsageError for a complexity that is no comparison with a number.
    """
    values: dict[str, list[str]] = {}

    def take(match: re.Match[str]) -> str:
        field = _KEYS.get(match["key"])
        if field is None:
            return match[0]
        values.setdefault(field, []).append(match["value"].strip('"'))
        return " "

    rest = _FILTER.sub(take, text)
    return rest, checked(Filters(**{key: tuple(found) for key, found in values.items()}))


def checked(filters: Filters) -> Filters:
    """The filters, if each can be executed; languages by the names that files have them under: ``js`` is javascript.

    Raises UsageError for a complexity that is no comparison with a number.
    """
    for one in filters.complexity:
        if not _COMPLEXITY.match(one):
            raise UsageError(
                f"complexity:{one} is no comparison", "write complexity:>10, complexity:<=3 or complexity:5"
            )
    return filters._replace(languages=tuple(map(_language, filters.languages))) if filters else filters


def _language(name: str) -> str:
    from trigpoint.errors import NotFoundError
    from trigpoint.languages import get  # 15 ms that a question without this filter does not need

    try:
        return get(name).name
    except NotFoundError:
        return name  # the answer says that no file is in it


def join(first: Filters, second: Filters) -> Filters:
    """Both sets of filters together."""
    return Filters(
        first.languages + second.languages,
        first.kinds + second.kinds,
        first.paths + second.paths,
        first.not_paths + second.not_paths,
        first.names + second.names,
        first.complexity + second.complexity,
    )
