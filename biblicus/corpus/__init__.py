"""One corpus: its folder, catalog and items, what each file says of itself, events, recipes and weights."""
