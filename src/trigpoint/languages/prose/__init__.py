"""Prose by section."""
