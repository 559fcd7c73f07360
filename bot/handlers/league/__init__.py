"""Handlers of leagues: signing up, nights, members, founding, and organisers' acts."""
