-- KEYS state, shown, dirty   ARGV target, message, stamp, table
local left = redis.call('PTTL', KEYS[1])
if left == -2 then return end -- the table is gone, and with it what it showed

local held = redis.call('HGET', KEYS[2], ARGV[1])
if held then
  local stamp, message = string.match(held, '^(%-?%d+) (.*)$')
  if tonumber(stamp) > tonumber(ARGV[3]) then
    if message == ARGV[2] then return end
    -- An older screen arrived late, in a message of its own, and is what the target looks at now.
    mark_dirty(KEYS[3], ARGV[4])
  end
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. ' ' .. ARGV[2])
if left >= 0 then redis.call('PEXPIRE', KEYS[2], left) end
