"""Schemas and statements."""
