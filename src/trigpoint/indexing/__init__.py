"""A tree becomes an index."""
