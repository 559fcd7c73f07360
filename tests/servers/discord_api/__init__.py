"""A Discord of our own for tests: REST, gateway and the people who press, in one process.

`python -m tests.servers.discord_api` starts it; tests speak to it with `client.Discord`.
"""
