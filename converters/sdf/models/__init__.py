"""Models and worlds: what they hold, how they nest, and where their frames and joints are."""
