"""Other files: model folders, <include>, and the changes that an <include> makes."""
