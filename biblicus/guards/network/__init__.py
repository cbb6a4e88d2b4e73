"""Connections to other machines: addresses that may be reached, requests with bounds, and clients of servers."""
