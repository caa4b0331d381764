"""The content of <asset>, and the geometry and images that MuJoCo generates without a file."""
