"""JavaScript, and TypeScript and TSX as its dialects."""
