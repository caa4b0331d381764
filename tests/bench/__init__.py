"""Speed, as ratios of two sides measured alternately in one run on one machine."""
