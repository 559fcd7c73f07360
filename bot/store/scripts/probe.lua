-- KEYS[1] a key that nobody uses   -> the commands that this user may not use, in scripts or in direct calls
local one = KEYS[1]
local function may_not(reply)
  return type(reply) == 'table' and reply.err
    and (string.find(reply.err, 'NOPERM') or string.find(reply.err, 'permission'))
end
if may_not(redis.pcall('del', one)) then return {'del'} end -- and nothing is left behind
local calls = {
  {'del', one}, {'exists', one}, {'expire', one, 1}, {'get', one}, {'hdel', one, 'a'}, {'hget', one, 'a'},
  {'hgetall', one}, {'hincrby', one, 'a', 1}, {'hkeys', one}, {'hmget', one, 'a'}, {'hset', one, 'a', 1}, {'del', one},
  {'lindex', one, 0}, {'lpush', one, 'a'}, {'lrange', one, 0, 0}, {'lrem', one, 0, 'a'}, {'ltrim', one, 0, 0}, {'mget', one},
  {'pexpire', one, 1}, {'rpush', one, 'a'}, {'del', one}, {'sadd', one, 'a'}, {'smembers', one},
  {'srem', one, 'a'}, {'del', one}, {'set', one, 1}, {'setnx', one, 1}, {'del', one}, {'time'}, {'ttl', one},
  {'zadd', one, 0, 'a'}, {'zcard', one}, {'zpopmin', one}, {'zrange', one, 0, 0},
  {'zrangebyscore', one, 0, 0}, {'zrem', one, 'a'}, {'zremrangebyscore', one, 0, 0}, {'zrevrange', one, 0, 0}, {'zscore', one, 'a'},
  {'del', one},
}
local denied, seen = {}, {}
for _, call in ipairs(calls) do
  local reply = redis.pcall(unpack(call))
  if may_not(reply) and not seen[call[1]] then
    seen[call[1]] = true
    denied[#denied + 1] = call[1]
  end
end
return denied
