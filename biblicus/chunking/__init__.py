"""Text to spans: the units that are ranked. One plug-in a module; `boundaries` is what they share."""
