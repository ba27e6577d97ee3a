"""Texts to vectors: each module is one way, behind ports.Embedder. Nothing here is imported before a vector is needed."""
