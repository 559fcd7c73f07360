-- KEYS value   ARGV the value as it was read (empty: none), what is to be in its place
-- Whether nobody has changed it meanwhile.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
