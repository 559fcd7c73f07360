"""Measure: how large the program is, who imports whom, and what a press goes through, in figures.

`python -m tests.measure` prints them for this checkout, with `--beside PATH` another one's in a column next
to them. Nothing is estimated: files are read, and the program is run against the Telegram and the Discord of
`tests/servers`, with counters in it (`inside`).
"""
