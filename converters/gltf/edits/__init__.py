"""What others have changed in a document of ours."""
