"""Speed, as ratios of two sides measured in turns in one run on one machine."""
