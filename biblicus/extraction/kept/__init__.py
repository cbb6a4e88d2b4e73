"""What programs write out of what people keep in them: bookmarks and outlines, places, literature, accounts, family trees."""
