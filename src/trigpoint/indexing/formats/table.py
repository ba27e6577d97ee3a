"""The text formats by language, and the languages that hold others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from trigpoint.indexing.formats.braces import (
    outline_graphql,
    outline_protobuf,
    outline_styles,
    outline_terraform,
)
from trigpoint.indexing.formats.dockerfile import outline_dockerfile
from trigpoint.indexing.formats.ini import outline_ini
from trigpoint.indexing.formats.keys import outline_json, outline_toml, outline_yaml
from trigpoint.indexing.formats.makefile import outline_makefile
from trigpoint.indexing.formats.markdown import outline_markdown
from trigpoint.indexing.formats.markup import Embedded, outline_component, outline_html, scripts
from trigpoint.indexing.formats.notebook import notebook_code, outline_notebook, readable_notebook
from trigpoint.indexing.formats.restructured import outline_asciidoc, outline_rst
from trigpoint.indexing.formats.sql import outline_sql
from trigpoint.indexing.formats.tagged import TEMPLATES, marked_strings, template_code
from trigpoint.model import Outline, SourceFile

__all__ = ["EMBEDDING", "FORMATS", "Embedded", "embedded", "marked_strings", "readable"]

FORMATS: Mapping[str, Callable[[str], Outline]] = MappingProxyType(
    {
        "asciidoc": outline_asciidoc,
        "astro": outline_component,
        "css": outline_styles,
        "dockerfile": outline_dockerfile,
        "eex": outline_html,
        "ejs": outline_html,
        "erb": outline_html,
        "graphql": outline_graphql,
        "html": outline_html,
        "ini": outline_ini,
        "ipynb": outline_notebook,
        "json": outline_json,
        "less": outline_styles,
        "makefile": outline_makefile,
        "markdown": outline_markdown,
        "protobuf": outline_protobuf,
        "rst": outline_rst,
        "scss": outline_styles,
        "sql": outline_sql,
        "svelte": outline_component,
        "terraform": outline_terraform,
        "toml": outline_toml,
        "vue": outline_component,
        "yaml": outline_yaml,
    }
)
"""Language name -> readable text to Outline. None of them raises, whatever the text."""

EMBEDDING = frozenset({"html", "vue", "svelte", "astro", "ipynb", *TEMPLATES})
"""Languages whose files hold code of another language."""


def readable(file: SourceFile) -> SourceFile:
    """The file with the text that is searched, shown and outlined: another than its own only for a notebook."""
    if file.language != "ipynb" or not file.text:
        return file
    text = readable_notebook(file.text)
    return file if text is None else file._replace(text=text)


def embedded(text: str, language: str) -> tuple[Embedded, ...]:
    """The code inside a readable text of one of EMBEDDING, one masked text a language; () elsewhere."""
    if language not in EMBEDDING:
        return ()
    if language in TEMPLATES:
        return template_code(text, language) + scripts(text, language)
    return notebook_code(text) if language == "ipynb" else scripts(text, language)
