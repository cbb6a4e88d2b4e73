"""What writes the reference pages under docs/. Not installed with the package."""
