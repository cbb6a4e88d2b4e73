"""The table of verbs, the askers that answer them, and limits on concurrent requests."""
