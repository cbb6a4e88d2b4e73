"""Network connections: allowed addresses, bounded requests, and clients of servers."""
