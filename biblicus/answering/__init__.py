"""Evidence to context packs and answers. Nothing here searches: what is not among the evidence does not exist."""
