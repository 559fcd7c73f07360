-- KEYS agenda of each partition   ARGV milliseconds since the epoch, limit for each
-- -> id, moment, id, …
local found = {}
for i = 1, #KEYS do
  local all = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
  for j = 1, #all, 2 do
    found[#found + 1] = all[j]
    found[#found + 1] = tonumber(all[j + 1])
  end
end
return found
