"""The front door: what commands and options are, and how they are read, completed and begun."""
