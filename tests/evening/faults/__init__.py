"""Evenings with faults: people press at random while platforms refuse and the program is killed."""
