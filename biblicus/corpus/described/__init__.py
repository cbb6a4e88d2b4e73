"""Metadata of items, from files, folders and the containers of members."""
