"""Code inside other files is linked like the rest: cells of notebooks, scripts of Vue, Svelte and Astro."""

import json

import trigpoint
from planting import planted

NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "source": ["def load_gauge(path):\n", "    return open(path).read()\n"]},
        {"cell_type": "markdown", "source": ["# load_gauge is called below\n"]},
        {"cell_type": "code", "source": ["raw = load_gauge('north.csv')\n"]},
    ],
    "nbformat": 4,
}
TREE = {
    "study.ipynb": json.dumps(NOTEBOOK, indent=1),
    "src/util.ts": "export function price(n: number): string { return `${n}` }\n",
    "src/Cart.vue": "<template>\n  <p>{{ total() }}</p>\n</template>\n<script setup lang=\"ts\">\nimport { price as p } from './util'\nfunction total() {\n  return p(3)\n}\n</script>\n",
    "src/Page.svelte": "<script>\n  import { price } from './util'\n  import Cart from './Cart.vue'\n  function show() { return price(2) }\n</script>\n<p>{show()}</p>\n",
    "src/Home.astro": "---\nimport { price } from './util'\nfunction shown() {\n  return price(4)\n}\n---\n<p>{shown()}</p>\n",
}


def test_embedded_code_is_linked_at_its_own_lines(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    root = planted(tmp_path / "project", TREE)
    with trigpoint.open(root) as project:
        prices = {(row.symbol.path, row.line) for row in project.callers("price").rows}
        assert prices == {("src/Cart.vue", 7), ("src/Page.svelte", 4), ("src/Home.astro", 4)}
        cell = project.callers("load_gauge").rows[0]
        assert "load_gauge('north.csv')" in TREE["study.ipynb"].split("\n")[cell.line - 1]
        imported = {
            edge.source.path for edge in project.edges(("imports",)) if edge.target.path == "src/Cart.vue"
        }
        assert imported == {"src/Page.svelte"}
