"""Handlers of leagues: signing up, nights, members, founding, and what organisers do."""
