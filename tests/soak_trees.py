"""What a random walk through a working tree is made of: paths that collide, contents that refer to each other, git."""

from __future__ import annotations

import subprocess
from pathlib import Path

FOLDERS = ("", "pkg/", "pkg/deep/", "lib/")
NAMES = (
    "core.py",
    "use.py",
    "__init__.py",
    "api.ts",
    "main.go",
    "Shape.java",
    "notes.md",
    "data.json",
    "part.c",
    "part.h",
)
PATHS = tuple(folder + name for folder in FOLDERS for name in NAMES)

TEXTS = {
    "py": (
        "class Base:\n    def run(self):\n        return self.stop()\n\n    def stop(self):\n        pass\n\n\ndef make():\n    return Base()\n",
        "from pkg.core import make, Base\n\n\ndef go():\n    made = make()\n    return made.run()\n",
        "from .core import *\nfrom .use import go\n\n\nclass Mine(Base):\n    def go(self):\n        super().run()\n        return go()\n",
        "import pkg.deep.core as c\n\nmade = c.make()\nmade.stop()\n",
        "def make():\n    return 3\n\n\ndef make():\n    return 4\n",
        "def broken(:\n    pass\n\ndef whole():\n    return make()\n",
    ),
    "ts": (
        "export class Store { save(x: number) { return this.load(x); } load(x: number) { return x; } }\n",
        "import { Store } from './api';\nexport function keep() { const s = new Store(); return s.save(1); }\n",
    ),
    "go": (
        "package main\n\nfunc Make() int { return help() }\n\nfunc help() int { return 1 }\n",
        "package main\n\nfunc help() int { return Make() }\n",
    ),
    "java": (
        "package pkg;\n\nclass Shape { int area() { return side(); } int side() { return 2; } }\n",
        "package pkg;\n\nclass Shape extends Base { }\n",
    ),
    "md": ("# Notes\n\nWhat `make` does.\n\n## More\n\nSee core.\n", "no heading\n"),
    "json": ('{"name": "core", "version": 1}\n', "[1, 2, 3]\n"),
    "c": (
        '#include "part.h"\n\nint part(int x) { return helper(x); }\n',
        "static int helper(int x) { return x; }\n",
    ),
    "h": ("int part(int x);\nint helper(int x);\n", "class Part { public: int part(int x); };\n"),
}
IGNORES = ("", "*.md\n", "pkg/deep/\n", "lib/*\n!lib/core.py\n", "/core.py\n*.json\n", "# nothing\n")
ENCODINGS = ("utf-8", "utf-16", "latin-1", "utf-8-sig", "cp1252")
BRANCHES = ("main", "side", "far")


def text_for(path: str, number: int) -> str:
    """One of the contents that suit a path."""
    choices = TEXTS[path.rpartition(".")[2]]
    return choices[number % len(choices)]


def git(root: Path, *words: str) -> bool:
    """Run git in a tree, with nobody's settings; whether it did what was asked."""
    line = [
        "git",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "core.hooksPath=",
        "-c",
        "gc.auto=0",
        *words,
    ]
    return subprocess.run(line, cwd=root, capture_output=True, check=False).returncode == 0
