"""Repository: tables, nights, leagues and settings out of the store, and the one way to change them."""
