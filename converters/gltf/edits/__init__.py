"""Edits that other programs or users have made to a document of ours."""
