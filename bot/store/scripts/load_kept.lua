-- KEYS matches, times, tally   ARGV table
-- -> {the match with its progress | nil, its time | nil, the tally | nil}
return {redis.call('HGET', KEYS[1], ARGV[1]), redis.call('ZSCORE', KEYS[2], ARGV[1]), redis.call('GET', KEYS[3])}
