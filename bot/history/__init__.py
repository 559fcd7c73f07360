"""Match history: results, statistics, whole matches to replay, records."""
