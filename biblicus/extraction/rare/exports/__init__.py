"""Exports of personal data: chats, bibliographies, family trees."""
