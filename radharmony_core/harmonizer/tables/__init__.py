"""Delimited text tables as people have them: packed or not, any common encoding and delimiter, no row lost."""
