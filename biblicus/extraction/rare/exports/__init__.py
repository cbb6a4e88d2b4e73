"""What programs write out of what people keep: bookmarks, outlines, places, literature, accounts, family trees."""
