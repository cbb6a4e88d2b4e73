"""Connectors of services: mail, threads. Each is a file of its own."""
