"""Commands and options: declaration, parsing and help."""
