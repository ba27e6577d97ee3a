"""Haskell: definitions, imports, uses and bindings."""
