-- KEYS the workers by the moment at which they count as gone, their chats
-- ARGV worker, its chats, milliseconds for which it counts as alive
-- -> {1 when it has counted as alive all the time, else 0, worker, its chats, worker, …} of all that are alive
local now = clock()
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], gone)
  redis.call('HDEL', KEYS[2], gone)
end
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end

local found = redis.call('HGETALL', KEYS[2])
table.insert(found, 1, known and 1 or 0)
return found
