"""Lua: definitions, imports, uses and bindings."""
