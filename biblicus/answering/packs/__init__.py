"""Context packs: evidence joined, widened and written for a prompt within a budget."""
