"""The commands that start what answers others."""
