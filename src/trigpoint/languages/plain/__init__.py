"""Programming languages that are searched as text."""
