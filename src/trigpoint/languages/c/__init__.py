"""C, and what C++ shares with it."""
