"""Mesh files: the formats, what they hold as arrays, and the numbers in them."""
