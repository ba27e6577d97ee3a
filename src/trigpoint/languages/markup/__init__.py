"""Markup, and components whose scripts are parsed in place."""
