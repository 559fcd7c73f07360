"""Load: the presses and computer moves a second that one process can bear."""
