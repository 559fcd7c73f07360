-- KEYS token   ARGV taker   -> value | nil
-- Whoever takes it first keeps it for a moment, so that his own resent call still gets the value.
local held = redis.call('HMGET', KEYS[1], 'v', 'by')
if not held[1] then return false end
if held[2] then return held[2] == ARGV[1] and held[1] end
redis.call('HSET', KEYS[1], 'by', ARGV[1])
redis.call('PEXPIRE', KEYS[1], 5000)
return held[1]
