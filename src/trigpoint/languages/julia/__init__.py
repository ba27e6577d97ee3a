"""Julia: definitions, imports, uses and bindings."""
