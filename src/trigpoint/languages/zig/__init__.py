"""Zig: definitions, imports, uses and bindings."""
