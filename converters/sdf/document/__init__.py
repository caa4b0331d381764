"""The document as text: parsing of values, the vocabulary of the specification, and the state of a reading."""
