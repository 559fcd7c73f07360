"""People: profiles, linked accounts, communities and what they allow."""
