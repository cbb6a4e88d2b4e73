"""Worker processes that parse untrusted files in a sandbox, and their protocol."""
