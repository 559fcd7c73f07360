"""Command line: `okey judge`, `replay`, `verify`, `simulate`, `league`."""
