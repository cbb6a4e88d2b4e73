"""What is made of evidence: answers, packs, personas; and what measuring them gives."""
