"""Context packs and answers made from evidence; nothing here searches."""
