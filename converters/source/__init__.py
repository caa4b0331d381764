"""Reading source documents so that nothing in them can be lost unnoticed, and writing them back."""
