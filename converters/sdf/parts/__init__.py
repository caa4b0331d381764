"""Elements attached to a link, in both directions."""
