-- KEYS lease, alive, deadlines of each partition   ARGV worker, milliseconds the lease lasts
-- -> for each partition -1 (somebody else holds it) or the milliseconds its deadlines were moved on
local worker, ttl, now = ARGV[1], tonumber(ARGV[2]), clock()

local function move_on(deadlines, gap)
  local all = redis.call('ZRANGE', deadlines, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do redis.call('ZADD', deadlines, all[i + 1] + gap, all[i]) end
end

local moved = {}
for i = 1, #KEYS, 3 do
  local holder = redis.call('GET', KEYS[i])
  local gap = -1
  if not holder or holder == worker then
    gap = behind(KEYS[i + 1], now)
    if gap > 0 then move_on(KEYS[i + 2], gap) end
    redis.call('SET', KEYS[i], worker, 'PX', ttl)
    set_alive(KEYS[i + 1], now, ttl / 2)
  end
  moved[#moved + 1] = gap
end
return moved
