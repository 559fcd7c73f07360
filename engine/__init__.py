"""Engine: the rules of the game as pure functions. No I/O, no clock, no entropy."""
