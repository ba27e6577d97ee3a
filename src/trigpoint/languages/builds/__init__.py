"""Build descriptions."""
