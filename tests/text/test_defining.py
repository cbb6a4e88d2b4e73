"""What texts say the kind of."""
