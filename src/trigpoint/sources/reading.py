"""The bytes of one file become a SourceFile: the same for every source."""

from __future__ import annotations

from hashlib import sha256

from trigpoint.languages import detect
from trigpoint.model import INDEXED, Outcome, SourceFile
from trigpoint.sources.decoding import decode
from trigpoint.sources.marks import marks_of
from trigpoint.sources.reasons import because
from trigpoint.sources.refusals import kept_by_path_only
from trigpoint.sources.secrets import holds_a_secret

_HEAD = 4096  # characters that may decide the language
_MARK_OF_REASON = {
    "minified": "minified",
    "generated": "generated",
    "lock-file": "generated",
    "source-map": "generated",
}
_MARK_OF_REASON["data"] = "data"


def unread(path: str, outcome: Outcome, size: int = 0, digest: str = "") -> SourceFile:
    """A file whose content stays out of the index, with the reason."""
    return SourceFile(path, "", digest, "", "", size, marks_of(path), outcome)


def file_of(path: str, data: bytes) -> SourceFile:
    """The file with these bytes: decoded, marked, and with an outcome that says how much of it counts."""
    digest = sha256(data).hexdigest()
    size = len(data)
    if holds_a_secret(path[path.rfind("/") + 1 :].lower(), data):
        return unread(path, because("secrets"), size, digest)
    decoded = decode(data)
    if decoded is None:
        return unread(path, because("binary"), size, digest)
    marks = marks_of(path)
    if decoded.guessed:
        marks |= {"guessed-encoding"}
    language = detect(path, decoded.text[:_HEAD])
    outcome = kept_by_path_only(path, data, decoded.text)
    if outcome is None:
        return SourceFile(path, language, digest, decoded.text, decoded.encoding, size, marks, INDEXED)
    marks |= {_MARK_OF_REASON[outcome.reason]}
    return SourceFile(path, language, digest, "", decoded.encoding, size, marks, outcome)
