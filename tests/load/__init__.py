"""Load: how many presses and computer moves a second one process bears."""
