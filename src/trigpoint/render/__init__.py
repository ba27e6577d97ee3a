"""From an answer to text, pure: the same answer always gives the same characters."""
