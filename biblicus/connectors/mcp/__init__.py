"""The Model Context Protocol: tools and resources for agents, over standard input and output or on the service."""
