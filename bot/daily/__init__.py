"""The daily rack among people: each person's answers, and what a community sees of them. Pure."""
