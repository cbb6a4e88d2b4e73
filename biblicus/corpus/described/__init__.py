"""What is known of an item beside its text: what files, folders and what holds them say of it."""
