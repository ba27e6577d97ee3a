"""Elixir: definitions, imports, uses and bindings."""
