"""A league's season, from its founding to its champion, with a clock that the test sets."""
