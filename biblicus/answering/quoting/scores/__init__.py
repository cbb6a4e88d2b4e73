"""What a statement scores, and what the score is made of."""
