"""A table: seats, match, clock and places. Pure functions on frozen data; the router commits them."""
