"""What the writer makes: bodies, materials, default classes, the scene file, the document in plain spelling."""
