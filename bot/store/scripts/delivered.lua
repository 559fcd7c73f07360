-- KEYS dirty, delivered   ARGV key, mark, the chats that are done with it now, those that must be: words with
-- spaces around them
local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not last or tonumber(last) > tonumber(ARGV[2]) then return end -- there is something new to deliver

local done, missing = done_with(KEYS[2], ARGV[1], last) .. ARGV[3], false
for chat in string.gmatch(ARGV[4], '%S+') do
  missing = missing or not string.find(done, ' ' .. chat .. ' ', 1, true)
end
if missing then
  redis.call('HSET', KEYS[2], ARGV[1], string.format('%.0f', last) .. done)
else
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
