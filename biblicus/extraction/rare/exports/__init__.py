"""Exports of personal data: chats, bookmarks, outlines, bibliographies, family trees."""
