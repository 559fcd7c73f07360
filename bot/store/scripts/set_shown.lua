-- KEYS state, shown, dirty   ARGV target, message, revision, table
if redis.call('EXISTS', KEYS[1]) == 0 then return end -- the table is gone, and with it what it showed

local held = redis.call('HGET', KEYS[2], ARGV[1])
if held then
  local revision, message = string.match(held, '^(%-?%d+) (.*)$')
  if tonumber(revision) > tonumber(ARGV[3]) then
    if message == ARGV[2] then return end
    -- An older screen arrived late in a message of its own, and is what the target sees now.
    mark_dirty(KEYS[3], ARGV[4])
  end
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. ' ' .. ARGV[2])
