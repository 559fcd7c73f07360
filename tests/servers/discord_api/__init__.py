"""A Discord for tests: REST, gateway and people, in one process.

`python -m tests.servers.discord_api` starts it. Tests use it through `client.Discord`.
"""
