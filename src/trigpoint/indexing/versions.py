"""What is written beside the rows so that they are made anew when the code that makes them changes. Light: each check asks."""

EDGES = "7"
"""Raised when the same records give other edges than before: everything is linked anew."""
