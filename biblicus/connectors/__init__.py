"""The plugs: each parses a call, calls one operation, shows what came of it."""
