"""Reader: splits evidence into units and ranks them for a question with one fitted scorer."""
