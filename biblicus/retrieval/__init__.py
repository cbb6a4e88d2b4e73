"""How to rank: the legs `lexical` (persisted) and `scan` (just in time), and what shapes their hits for a reader."""
