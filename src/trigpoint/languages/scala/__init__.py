"""Scala, versions 2 and 3."""
