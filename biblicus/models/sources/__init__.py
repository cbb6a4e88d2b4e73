"""What a corpus draws from: the entries that are listed, and what a sync is made of."""
