"""Word legs: the index, the live scan, and the analysis of questions."""
