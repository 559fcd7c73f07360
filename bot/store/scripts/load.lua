-- KEYS state, deadlines, alive   ARGV table   -> nil | {state, version, due | nil, now}
local held = redis.call('HMGET', KEYS[1], 's', 'v')
if not held[2] then return false end
local now = clock()
local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
return {held[1], tonumber(held[2]), due and due + behind(KEYS[3], now), now}
