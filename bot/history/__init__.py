"""History: what was played, the figures that it comes to, and matches to be replayed."""
