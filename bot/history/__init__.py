"""Match history: results and what they add up to, statistics, whole matches to replay, records."""
