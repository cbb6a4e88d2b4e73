"""Exports of personal data: chats, bookmarks, outlines, places, bibliographies, accounts, family trees."""
