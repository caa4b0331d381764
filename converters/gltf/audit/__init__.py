"""Comparison of a just-written document, as other programs see it, with the scene that was to be written."""
