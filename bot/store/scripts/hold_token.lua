-- KEYS a person's tokens   ARGV token, milliseconds for which it lasts
-- Each is forgotten with its end. Older versions kept a plain set, whose end was that of the last.
local now = clock()
if redis.call('TYPE', KEYS[1])['ok'] == 'set' then
  local last, tokens = now + redis.call('PTTL', KEYS[1]), redis.call('SMEMBERS', KEYS[1])
  redis.call('DEL', KEYS[1])
  for _, token in ipairs(tokens) do redis.call('ZADD', KEYS[1], last, token) end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIREAT', KEYS[1], redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2])
