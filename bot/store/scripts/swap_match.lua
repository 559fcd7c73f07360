-- KEYS matches   ARGV table, the value as it was read, the new value
-- -> 1 when nobody has changed it meanwhile, else 0
local held = redis.call('HGET', KEYS[1], ARGV[1])
if not held or string.sub(held, 5) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.sub(held, 1, 4) .. ARGV[3])
return 1
