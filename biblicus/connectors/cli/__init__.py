"""The command line: one file per group of commands, one place for errors, one for output."""
