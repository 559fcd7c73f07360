-- KEYS token   ARGV value, milliseconds, owner, the value that it may replace (missing: any)
-- -> 1 when the value is stored, also by this call sent before, else 0
local held = ARGV[4] and redis.call('HGET', KEYS[1], 'v')
if ARGV[4] and held ~= ARGV[4] and held ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'of', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
