-- KEYS a sorted set of marks   ARGV key, mark
-- A newer mark stays.
local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
if last and tonumber(last) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
