"""The arrows of ARCHITECTURE.md are kept by import-linter; its contracts are in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_layers_hold() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-logo",
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 broken" in ran.stdout


LIMIT = 400
REASONS = {
    "model.py": "the nouns are one vocabulary and are read together",
    "stores/conformance.py": "the whole of one seam, as tests",
    "indexing/outline.py": "one walk over one cursor; split, its state would be handed around",
    "config.py": "a row and a field a setting: its length is the number of settings",
    "engine.py": "one short method an operation: its length is the number of things that can be asked",
    "languages/ruby/link.py": "one language's answers to one seam",
    "languages/rust/link.py": "one language's answers to one seam",
    "operations.py": "the table of what can be asked, one row a command",
    "ports.py": "the seams side by side, each short",
    "stores/memory.py": "the reference implementation, read beside the seam it fills",
    "stores/local/snapshot.py": "one short method a question to one generation",
}


def test_files_are_small_enough_to_hold() -> None:
    package = ROOT / "src" / "trigpoint"
    lengths = {
        path.relative_to(package).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in package.rglob("*.py")
        if path.stem != "sample"
    }
    long = {name for name, lines in lengths.items() if lines > LIMIT}
    assert long <= set(REASONS), "a file over 400 lines needs its reason here, or to be two files"
    assert set(REASONS) <= long, "a file that is short again needs no reason"
