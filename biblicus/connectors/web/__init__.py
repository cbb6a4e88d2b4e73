"""The web page: search, reader, answers, conversation and corpus in a browser, served with the HTTP service."""
