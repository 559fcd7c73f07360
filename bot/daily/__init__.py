"""The daily rack among people: what somebody has answered, and what a community sees of it. Pure."""
