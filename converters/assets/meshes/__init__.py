"""Mesh files: the formats, their content as arrays, and parsing of numbers."""
