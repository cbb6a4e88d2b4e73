"""Results of recognition: words with positions from images, cues with times from recordings."""
