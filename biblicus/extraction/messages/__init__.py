"""Messages and appointments: mail, Outlook's attachments, chat exports and calendars."""
