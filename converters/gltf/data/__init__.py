"""What a document is stored as: containers, buffers, accessors, extensions, colours."""
