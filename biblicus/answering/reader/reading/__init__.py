"""How a text is read before it is quoted: its blocks, its units, and their words without marks."""
