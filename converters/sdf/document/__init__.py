"""The document as text: tokens, the words of the specification, what a reading knows so far."""
