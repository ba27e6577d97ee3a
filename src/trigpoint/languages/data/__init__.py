"""Data and settings by key path; notebooks by cell."""
