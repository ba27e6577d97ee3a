"""Text formats: what is not a programming language still has an outline. One small file each, and table.py."""

SIGNS = ("gql", "graphql", "GraphQL", "sql", "SQL")
"""What stands in a text with strings that are marked as code: without one of them tagged.py is not needed."""
