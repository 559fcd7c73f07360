-- KEYS the workers by the moment at which they count as gone, their chats, the receiver of each chat
-- ARGV worker, its chats with spaces around each, milliseconds for which it counts as alive
-- -> {the server's clock, 1 when it has counted as alive all the time, else 0, the chats in which it receives,
--    worker, its chats, …} of all that are alive
local now = clock()
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], gone)
  redis.call('HDEL', KEYS[2], gone)
end
local known, ends = redis.call('ZSCORE', KEYS[1], ARGV[1]), now + ARGV[3]
redis.call('ZADD', KEYS[1], ends, ARGV[1])
-- The clock was set back, or that of another server was ahead: nobody is to count as alive until it comes there again.
for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%.0f', ends), '+inf')) do
  redis.call('ZADD', KEYS[1], ends, ahead)
end
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end

-- A receiver goes on as long as it is alive and serves the chat: changing it costs a connection.
local mine = {}
for chat in string.gmatch(ARGV[2], '%S+') do
  local receiver = redis.call('HGET', KEYS[3], chat)
  local theirs = receiver and redis.call('HGET', KEYS[2], receiver)
  if not (theirs and string.find(theirs, ' ' .. chat .. ' ', 1, true)) then
    receiver = ARGV[1]
    redis.call('HSET', KEYS[3], chat, receiver)
  end
  if receiver == ARGV[1] then mine[#mine + 1] = chat end
end

local found = redis.call('HGETALL', KEYS[2])
table.insert(found, 1, table.concat(mine, ' '))
table.insert(found, 1, known and 1 or 0)
table.insert(found, 1, now)
return found
