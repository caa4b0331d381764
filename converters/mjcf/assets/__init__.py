"""What <asset> says, and geometry and images that MuJoCo makes without a file."""
