"""Commands and options: declaration, parsing, completion and help."""
