"""Context packs: evidence merged, widened and formatted for a prompt within a token budget."""
