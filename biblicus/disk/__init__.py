"""Files that survive: durable writes, locks, seals."""
