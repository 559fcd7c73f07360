"""Worker: timers, automatic players, the schedule of leagues."""
