"""Everything that lies on disk: the folder, the catalog, runs, caches, seals; durable writes and the lock."""
