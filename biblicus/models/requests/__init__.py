"""What can be asked of a corpus: one class for each kind of request, the only place that knows what it can say.

The fields stand in their published names. Their descriptions and bounds (`models.fields`) are what the command line,
HTTP, MCP, the daemon, Python and the reference pages show and hold callers to. A module for each subject, so that a
plain question loads its own alone.
"""
