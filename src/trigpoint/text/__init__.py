"""Text without meaning: identifiers and their parts, tokens, lines. Pure functions of their arguments."""
