"""The hooks of JavaScript, TypeScript and TSX."""

from trigpoint.languages.javascript.bound import bindings
from trigpoint.languages.javascript.defined import definition
from trigpoint.languages.javascript.modules import imports
from trigpoint.languages.javascript.unread import prepare
from trigpoint.languages.javascript.uses import reference

__all__ = ["bindings", "definition", "imports", "prepare", "reference"]
