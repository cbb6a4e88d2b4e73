"""Build and store runs: sealed, versioned indexes made from recipes."""
