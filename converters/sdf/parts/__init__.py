"""What hangs on a link, in both directions."""
