-- KEYS deadlines, alive of each partition   -> nil | milliseconds until the next deadline, 0 when it has passed
local now, soonest = clock(), nil
for i = 1, #KEYS, 2 do
  local first = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')
  if first[2] then
    local wait = math.max(0, first[2] + behind(KEYS[i + 1], now) - now)
    soonest = math.min(soonest or wait, wait)
  end
end
return soonest
