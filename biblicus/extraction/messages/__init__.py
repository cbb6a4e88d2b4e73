"""Messages and appointments: mail and calendars."""
