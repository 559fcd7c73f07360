"""Evenings with faults: people press at random while platforms refuse calls and the program is killed."""
