"""Retrieval pipelines as values: a plan of stages, a planner that chooses one, and one flow that carries any of them out."""
