"""People: profiles, linked accounts, communities, permissions, codes."""
