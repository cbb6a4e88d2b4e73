"""Builds runs and keeps them: recipes become sealed, versioned indexes."""
