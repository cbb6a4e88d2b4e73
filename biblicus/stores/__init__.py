"""Where a run's tables and vectors lie. An engine: it is given folders, never a corpus."""
