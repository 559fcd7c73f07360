-- KEYS deadlines, alive of each partition   ARGV limit for each
-- -> table, milliseconds since its deadline, table, …
local now, late = clock(), {}
for i = 1, #KEYS, 2 do
  local there = now - behind(KEYS[i + 1], now)
  local all = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', there, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
  for j = 1, #all, 2 do
    late[#late + 1] = all[j]
    late[#late + 1] = there - all[j + 1]
  end
end
return late
