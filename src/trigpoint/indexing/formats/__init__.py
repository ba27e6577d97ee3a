"""Text formats: what is not a programming language still has an outline. One small file each, and table.py."""
