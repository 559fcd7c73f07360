"""A Telegram Bot API server for tests: real sockets, the official limits, and a list of broken rules."""
