"""Other files: model folders, what an <include> brings, and what it changes there."""
