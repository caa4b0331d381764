"""glTF 2.0: containers and accessors, which the reader and the writer of the format will stand on."""
