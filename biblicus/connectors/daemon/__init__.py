"""The daemon: keeps corpora warm for one user's commands, over a Unix socket."""
