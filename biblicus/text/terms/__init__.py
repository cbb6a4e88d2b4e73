"""What the words of a text, a name or a title are called in an index: its terms."""
