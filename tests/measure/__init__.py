"""Measure: the program's size, its imports and the cost of a press, in figures.

`python -m tests.measure` prints them for this checkout; `--beside PATH` adds a column for another one.
Nothing is estimated: files are read, and the program is run against the Telegram and the Discord of
`tests/servers`, with counters in it (`inside`).
"""
