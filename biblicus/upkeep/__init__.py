"""Maintenance of a corpus: finds damage, repairs it, and adopts indexes from other machines."""
