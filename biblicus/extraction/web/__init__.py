"""Pages of the web: HTML, what its links say of it, saved pages, feeds."""
