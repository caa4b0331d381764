"""Parts of the writer: bodies, materials, default classes, the scene file, the document in plain spelling."""
