"""Linking: what a name in one file stands for in another. Pure: facts of files in, edges out."""
