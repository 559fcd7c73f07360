-- KEYS token   ARGV value, milliseconds, owner
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'of', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
