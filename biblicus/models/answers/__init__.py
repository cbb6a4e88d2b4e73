"""Results made from evidence: answers, packs, personas; and their evaluation."""
