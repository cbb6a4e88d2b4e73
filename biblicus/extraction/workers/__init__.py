"""Where files are parsed that may be hostile: worker processes, and what crosses to them."""
