-- KEYS state, notes, deadlines, alive of each document   ARGV document …
-- -> for each nil | {state, version, last actions, due | nil, now, {target, its note, …}}
local now, found = clock(), {}
for i = 1, #KEYS, 4 do
  local held = redis.call('HMGET', KEYS[i], 's', 'v', 'a')
  local due = redis.call('ZSCORE', KEYS[i + 2], ARGV[(i + 3) / 4])
  found[#found + 1] = held[2] and {
    held[1], tonumber(held[2]), held[3] or '', due and due + behind(KEYS[i + 3], now), now,
    redis.call('HGETALL', KEYS[i + 1]),
  }
end
return found
