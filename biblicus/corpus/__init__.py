"""One corpus: its folder, catalog, items and their metadata, events, recipes and weights."""
