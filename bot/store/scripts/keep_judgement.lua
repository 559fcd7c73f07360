-- KEYS the table's judgements   ARGV round and seat, value, milliseconds to keep them
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
