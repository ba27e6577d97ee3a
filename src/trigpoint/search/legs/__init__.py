"""The legs: each looks for the answer in its own way and votes with a ranking of chunks."""
