"""Executors that distribute builds over machines. They get plain data: no corpus, no call, no secret."""
