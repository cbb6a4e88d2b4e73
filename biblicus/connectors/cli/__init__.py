"""The command line: one file per group of commands, one boundary for errors, one place that prints."""
