"""What ranks by meaning: exact, or through a graph of neighbours."""
