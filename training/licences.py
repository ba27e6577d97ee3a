"""The licence audit: a package, or a file of one, is used when its licence is plainly permissive, else left out.

What is unclear (no licence, two that contradict, words instead of a name) is left out.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable
from email.parser import HeaderParser
from typing import NamedTuple

PERMISSIVE = frozenset(
    [
        "0bsd",
        "afl-2.1",
        "apache",
        "apache-2",
        "apache-2.0",
        "apache-2.0-with-llvm-exception",
        "apache2",
        "apache2.0",
        "apache-license-2.0",
        "apache-software-license",
        "apache-license",
        "apache-license,-version-2.0",
        "asl-2.0",
        "blueoak-1.0.0",
        "bsd",
        "bsd-1-clause",
        "bsd-2",
        "bsd-2-clause",
        "bsd2",
        "bsd-3",
        "bsd-3-clause",
        "bsd3",
        "bsd-4-clause-uc",
        "bsd-license",
        "bsd-3-clause-license",
        "bsd-2-clause-license",
        "new-bsd",
        "modified-bsd",
        "bsl-1",
        "bsl-1.0",
        "boost",
        "cc0",
        "cc0-1.0",
        "curl",
        "expat",
        "ftl",
        "hpnd",
        "historical-permission-notice-and-disclaimer",
        "isc",
        "isc-license",
        "isc-license-iscl",
        "libtiff",
        "libpng",
        "mit",
        "mit-license",
        "mit-0",
        "mit/x11",
        "mit-cmu",
        "ncsa",
        "openssl",
        "php-3.01",
        "postgresql",
        "psf",
        "psf-2",
        "psf-2.0",
        "python-2.0",
        "python-software-foundation-license",
        "public-domain",
        "ruby-x",
        "tcl",
        "unicode",
        "unicode-3.0",
        "unlicense",
        "the-unlicense",
        "wtfpl",
        "x11",
        "zlib",
        "zlib/libpng",
        "zope-public-license",
        "zpl-2.1",
        "the-mit-license",
        "mit-licence",
        "bsd-style",
        "apache-license-version-2.0",
        "license-bsd",
    ]
)
_FAMILIES = re.compile(r"(?:expat|mit|bsd-[234]-clause|bsd|apache-2(?:\.0)?|isc|zlib|hpnd|x11)[-~+.].*\Z")
_RESTRICTED = re.compile(
    r"gpl|agpl|mpl|cddl|epl|eupl|cecill|copyleft|proprietary|commercial|non-?commercial|sspl|busl|elastic|cc-by|ofl|artistic|qpl|osl|all-rights",
    re.I,
)


class Verdict(NamedTuple):
    """Whether something may be used, and the licence that says so."""

    use: bool
    licence: str


def verdict(expression: str) -> Verdict:
    """The verdict on a licence expression: of ``a or b`` one must be permissive, of ``a and b`` both."""
    text = " ".join(expression.replace("(", " ").replace(")", " ").split())
    if not text or len(text) > 160:
        return Verdict(False, text[:60])
    allowed = any(
        all(
            _permissive(part)
            for part in re.split(r"\s+and\s+|\s*,\s+and\s+|\s*;\s*|\s*&\s*", choice, flags=re.I)
        )
        for choice in re.split(r"\s+or\s+|\s*\|\|?\s*|\s+/\s+", text, flags=re.I)
    )
    return Verdict(allowed, text)


def _permissive(name: str) -> bool:
    plain = re.sub(r"\s+with\s+llvm-exception", "", name.strip().strip("\"'").lower())
    plain = re.sub(r"[\s_]+", "-", plain.removeprefix("the "))
    plain = plain.removesuffix("-only").removesuffix("-or-later").rstrip(".,")
    if _RESTRICTED.search(plain):
        return False
    return plain in PERMISSIVE or _FAMILIES.match(plain) is not None


def of_wheel(metadata: str) -> Verdict:
    """The verdict on a PyPI package by its METADATA or PKG-INFO: expression, then classifiers, then the licence line."""
    head = HeaderParser().parsestr(metadata)
    given = [
        value.rpartition("::")[2].strip()
        for key, value in head.items()
        if key == "Classifier" and value.startswith("License ::")
    ]
    given = [one for one in given if one != "OSI Approved"]
    if expression := head.get("License-Expression"):
        return verdict(expression)
    if given:
        return (
            verdict(" and ".join(given))
            if not any(_RESTRICTED.search(one) for one in given)
            else Verdict(False, "; ".join(given))
        )
    return verdict((head.get("License") or "").split("\n")[0])


def of_npm(manifest: str) -> Verdict:
    """The verdict on an npm package by its package.json."""
    try:
        data = json.loads(manifest)
    except ValueError:
        return Verdict(False, "")
    given = data.get("license") or data.get("licenses") or ""
    if isinstance(given, list):
        given = " and ".join(str(one.get("type", "")) if isinstance(one, dict) else str(one) for one in given)
    if isinstance(given, dict):
        given = given.get("type", "")
    return verdict(str(given))


class Copyright:
    """debian/copyright in its machine-readable form: a verdict for each file."""

    def __init__(self, text: str) -> None:
        self.rows: list[tuple[re.Pattern[str], Verdict]] = []
        if "format" not in text[:400].lower():
            return
        for stanza in re.split(r"\n\s*\n", text):
            fields = _fields(stanza)
            if "files" in fields and "license" in fields:
                found = verdict(fields["license"].split("\n")[0])
                for glob in fields["files"].split():
                    self.rows.append((re.compile(fnmatch.translate(glob)), found))

    def of(self, path: str) -> Verdict:
        """The verdict of the last stanza that names the file, as the format says."""
        return next((found for glob, found in reversed(self.rows) if glob.match(path)), Verdict(False, ""))

    def licences(self) -> Iterable[str]:
        """The licences of the stanzas that allow use, each once."""
        return dict.fromkeys(found.licence for _, found in self.rows if found.use)


def _fields(stanza: str) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line[:1] in (" ", "\t") and name:
            found[name] += "\n" + line.strip()
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            found[name] = value.strip()
    return found
