-- KEYS sorted set   ARGV member, moment, seconds for which it and its members are kept
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[2] - ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[3])
