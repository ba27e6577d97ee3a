"""Broken text of every language: no crash, no hang, no range outside the file.

    fuzz.py [--inputs N] [--seed N] [--only LANGUAGE,...] [--keep FOLDER] [FOLDER...]

Takes the samples of all languages and files under FOLDERs, cuts, splices and flips bytes, outlines what comes out, and
checks it. Text formats and build files take part. What fails is kept in FOLDER of ``--keep`` and printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import trigpoint.languages as languages
from trigpoint.indexing.formats.table import FORMATS
from trigpoint.indexing.record import outline_of
from trigpoint.model import MODULE, Outline

LIMIT = 5.0
"""CPU seconds that one input may take; they are some kB."""
PIECE = 3_000
"""Bytes of a file that take part: what breaks a parser is small."""
NOISE = b"(){}[]<>@\"'`\\/*:;=.,\n $#\x00\xff\xc3a%|&~-"


def seeds(folders: Sequence[Path], only: set[str]) -> dict[str, list[bytes]]:
    """Language -> texts of it."""
    found: dict[str, list[bytes]] = {}
    ours = Path(languages.__file__).parent
    samples = [one for one in ours.glob("*/sample*") if one.suffix not in (".outline", ".pyc")]
    for path in [*sorted(samples), *(one for folder in folders for one in _few(folder))]:
        source = path.read_bytes()
        language = languages.detect(path.name, source[:4096].decode("utf-8", "replace"))
        if language != languages.TEXT and (not only or language in only):
            found.setdefault(language, []).append(source[: PIECE * 2] if len(source) > PIECE * 2 else source)
    return found


def _few(folder: Path, most: int = 40) -> list[Path]:
    """Some files of a folder, of each extension alike many, the same each time."""
    by_kind: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".git/" not in str(path) and path.stat().st_size < 200_000:
            by_kind.setdefault(path.suffix, []).append(path)
    chance = random.Random(1)
    return [one for paths in by_kind.values() for one in chance.sample(paths, min(most, len(paths)))]


def broken(texts: Sequence[bytes], others: Sequence[bytes], chance: random.Random) -> bytes:
    """One text, cut or spliced or with bytes flipped."""
    text = chance.choice(texts)
    start = chance.randrange(max(1, len(text) - PIECE + 1))
    piece = bytearray(text[start : start + PIECE])
    way = chance.random()
    if way < 0.3:
        return bytes(piece[: chance.randrange(len(piece) + 1)])
    if way < 0.6:
        other = chance.choice(texts if chance.random() < 0.7 else others)
        at, begin = chance.randrange(len(piece) + 1), chance.randrange(len(other) + 1)
        length = chance.randrange(PIECE // 2)
        return bytes(piece[:at] + other[begin : begin + length] + piece[at + chance.randrange(200) :])
    for _ in range(chance.randrange(1, 14)):
        if piece:
            at = chance.randrange(len(piece))
            piece[at] = (
                chance.choice(NOISE) if chance.random() < 0.7 else piece[at] ^ (1 << chance.randrange(8))
            )
    return bytes(piece)


def faults(text: str, found: Outline) -> Iterator[str]:
    """What is wrong with an outline of a text, whatever the text is."""
    last = text.count("\n") + 1
    for one in found.symbols:
        if not 1 <= one.start <= one.name_line <= one.end <= last:
            yield f"lines of {one}"
        if one.container != MODULE and not 0 <= one.container < len(found.symbols):
            yield f"container of {one}"
    for part in (found.references, found.bindings, found.imports):
        for item in part:
            if not 1 <= item.line <= last or not MODULE <= item.scope < len(found.symbols):
                yield f"place of {item}"
    if any(not 1 <= one <= last for one in found.splits):
        yield "splits"


def run(inputs: int, seed: int, texts: Mapping[str, list[bytes]]) -> Iterator[tuple[str, bytes, str]]:
    """Every input that fails: its language, itself, what is wrong."""
    chance = random.Random(seed)
    others = [one for many in texts.values() for one in many]
    names = sorted(texts)
    for number in range(inputs):
        language = names[number % len(names)]
        source = broken(texts[language], others, chance)
        text = source.decode("utf-8", "replace").replace("\r\n", "\n")
        started = time.process_time()
        try:
            found = outline_of(text, language)
            wrong = next(faults(text, found), "")
        except Exception as error:  # the point of all this
            wrong = f"{type(error).__name__}: {error}"
        spent = time.process_time() - started
        if wrong or spent > LIMIT:
            yield language, text.encode("utf-8", "surrogatepass"), wrong or f"took {spent:.1f} s"


def main() -> int:
    """Run, print what fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--inputs", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    texts = seeds(args.folders, set(args.only.split(",")) - {""})
    for name in () if args.only else FORMATS:
        texts.setdefault(name, [one for many in texts.values() for one in many][:20])
    failed = 0
    started = time.process_time()
    for language, source, wrong in run(args.inputs, args.seed, texts):
        failed += 1
        print(f"{language}: {wrong[:300]}", flush=True)
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"{language}-{failed}").write_bytes(source)
    spent = time.process_time() - started
    print(f"{args.inputs} inputs, {len(texts)} languages, {failed} failed, {spent:.0f} CPU s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
