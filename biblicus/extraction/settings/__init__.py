"""Files of settings and data: what their keys name."""
