-- KEYS a person's tokens by their end   ARGV token, milliseconds for which it lasts
-- Each is forgotten with its end, and all with the last.
local now = clock()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] - now)
