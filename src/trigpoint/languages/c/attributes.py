"""Macros that stand where an attribute may stand, blanked before parsing: the grammar takes them for types or names.

``class EXPORT_API Name {`` names a class EXPORT_API, ``API_CALL const char *name(int);`` declares a variable.
Whatever is blanked keeps its length, so that every place stays what it was. Repetitions are bounded: a file that is
nothing but capitals must not cost a quadratic search.
"""

from __future__ import annotations

import re

_M = rb"[A-Z][A-Z0-9_]{2,}"
_GIVEN = rb"\([^()\n]*\)"
_QUALIFIERS = rb"(?:const|volatile|unsigned|signed|struct|enum|union|class|static|inline|extern|constexpr|virtual|explicit|typename)\b"
_KEYWORDS = rb"(?:namespace|template|class|struct|enum|union|using|typedef|static|inline|extern|constexpr|friend|virtual|explicit)\b"
_COMMENTS = rb"(?://[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*){0,80}"

_OF_TYPE = re.compile(
    rb"\b(?:class|struct|union)((?:[ \t]+[A-Z_][A-Z0-9_]+(?:" + _GIVEN + rb")?){1,4})"
    rb"(?=\s+(?!final\b)[A-Za-z_][\w:]*\s*(?:final\s*)?(?:\{|:[^:;]))"
)
"""``class EXPORT_API Name``, where a body or bases follow."""
_OF_DECLARATION = re.compile(
    rb"^[ \t]*(?:(?:static|inline|extern|virtual|friend|constexpr|explicit|typedef)\s+|template\s*<[^;{}()]{0,200}>\s*){0,4}"
    rb"((?:" + _M + rb"(?:\s+(?:" + _M + _GIVEN + rb"\s+){0,2}|" + _GIVEN + rb"[ \t]+)){1,4})"
    rb"(?=(?:" + _QUALIFIERS + rb"\s+){0,4}(?!" + _QUALIFIERS + rb"|operator\b|return\b|else\b)"
    rb"[A-Za-z_][\w:]*(?:<[^;{}()\n]*>)?[\s*&]+[A-Za-z_][\w:]*\s*[(;=\[])",
    re.M,
)
"""``API_CALL type name(``: a word in capitals before a type and a name is neither."""
_BEFORE_KEYWORD = re.compile(
    rb"^[ \t]*((?:"
    + _M
    + rb"(?:(?!\(\s*\w+\s*\))"
    + _GIVEN
    + rb")?\s+){1,4})(?="
    + _COMMENTS
    + rb"(?:"
    + _KEYWORDS
    + rb"[^:,;()]"
    rb"|(?:public|private|protected):))",
    re.M,
)
"""``BEGIN_NAMESPACE`` on a line of its own before a declaration; ``DEFINE(name)`` stays, it may be one itself."""
_AFTER_PARAMETERS = re.compile(
    rb"\)(?:\s*(?:const\b|noexcept\b|&&?)){0,3}\s+"
    rb"((?:(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:" + _GIVEN + rb")?|" + _M + _GIVEN + rb")\s+){1,4})"
    rb"(?=\{|:[^:]|override\b|->|=\s*(?:default|delete|0)\b)"
)
"""``void lock() LOCKS_REQUIRED(mutex) {``."""
_BEFORE_DESTRUCTOR = re.compile(rb"^[ \t]*((?:" + _M + rb"[ \t]+){1,4})(?=~[A-Za-z_]\w*[ \t]*\()", re.M)
"""``ALWAYS_INLINE ~Name() {``."""
_PATTERNS = (_OF_TYPE, _OF_DECLARATION, _BEFORE_KEYWORD, _AFTER_PARAMETERS, _BEFORE_DESTRUCTOR)
_CAPITALS = re.compile(rb"[A-Z][A-Z0-9_]{2}")
SPACES = bytes(one if one in b"\r\n" else 32 for one in range(256))
"""A translation of any byte to a space that keeps line ends."""


def without_attribute_macros(src: bytes) -> bytes:
    """The source with attribute macros blanked; the very same bytes when there are none."""
    if not _CAPITALS.search(src):
        return src
    spans = [found.span(1) for pattern in _PATTERNS for found in pattern.finditer(src)]
    if not spans:
        return src
    out = bytearray(src)
    for start, end in spans:
        out[start:end] = src[start:end].translate(SPACES)
    return bytes(out)
