"""Keeps a corpus sound: finds damage, repairs it, and takes what came from elsewhere as one's own."""
