"""Makes answers of evidence: context packs, quoted and written answers, personas."""
