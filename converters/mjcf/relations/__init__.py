"""What stands beside the tree and speaks of it, in both directions."""
