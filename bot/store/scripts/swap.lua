-- KEYS value   ARGV a digest of the value as it was read (0: there was none), the new value
-- -> 1 when nobody has changed it meanwhile, else 0; it is kept as long as the old value would have been
local held = redis.call('GET', KEYS[1])
local version = held and tonumber(string.sub(redis.sha1hex(held), 1, 13), 16) or 0
if version ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
