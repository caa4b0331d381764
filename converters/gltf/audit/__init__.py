"""What a document that was just written says to other programs, held against the scene that was to be written."""
