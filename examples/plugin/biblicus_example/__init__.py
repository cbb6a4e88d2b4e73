"""Three small plug-ins for Biblicus, to learn from."""
