"""Answers from evidence: context packs, quoted and written answers, personas."""
