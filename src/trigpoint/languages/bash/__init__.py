"""Bash and its kin: definitions, sourced files, uses and bindings."""
