"""Guards between strangers' data and this process: YAML, JSON, the terminal, and limits for parser processes."""
