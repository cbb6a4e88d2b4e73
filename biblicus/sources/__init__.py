"""Where items come from."""
