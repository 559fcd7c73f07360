"""Tables: seats, match, turn clocks and places of one table. Pure functions from a table to a change."""
