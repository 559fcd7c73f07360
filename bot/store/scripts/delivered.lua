-- KEYS dirty, delivered of each key   ARGV of each: key, mark, the chats that are done with it now, those that must be:
-- words with spaces around them
local function settle(dirty, delivered, key, mark, chats, needed)
  local last = redis.call('ZSCORE', dirty, key)
  if not last or tonumber(last) > tonumber(mark) then return end -- there is something new to deliver

  local done, missing = done_with(delivered, key, last), false
  for chat in string.gmatch(chats, '%S+') do
    if not string.find(done, ' ' .. chat .. ' ', 1, true) then done = done .. chat .. ' ' end
  end
  for chat in string.gmatch(needed, '%S+') do
    missing = missing or not string.find(done, ' ' .. chat .. ' ', 1, true)
  end
  if missing then
    redis.call('HSET', delivered, key, string.format('%.0f', last) .. done)
  else
    redis.call('ZREM', dirty, key)
    redis.call('HDEL', delivered, key)
  end
end

for i = 1, #KEYS, 2 do settle(KEYS[i], KEYS[i + 1], unpack(ARGV, 2 * i - 1, 2 * i + 2)) end
