-- KEYS token   ARGV taker, owner   -> value | nil
-- The first taker keeps it for a moment, so that a resent call of theirs still gets the value. With an owner
-- named, another person's token stays as it is.
local held = redis.call('HMGET', KEYS[1], 'v', 'by', 'of')
if not held[1] or (ARGV[2] ~= '' and held[3] ~= ARGV[2]) then return false end
if held[2] then return held[2] == ARGV[1] and held[1] end
redis.call('HSET', KEYS[1], 'by', ARGV[1])
redis.call('PEXPIRE', KEYS[1], 5000)
return held[1]
