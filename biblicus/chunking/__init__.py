"""Divides text into chunks, the units of ranking. One module per plug-in; `boundaries` is shared."""
