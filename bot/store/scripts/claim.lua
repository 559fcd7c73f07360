-- KEYS leases, alive, deadlines of each partition
-- ARGV worker, the workers alive, of each partition the work it wants to hold there: words with spaces around them
-- -> of each partition the work that the worker holds now
local worker, workers, now, held = ARGV[1], ARGV[2], clock(), {}

local function has(words, word) return string.find(words, ' ' .. word .. ' ', 1, true) end

for i = 1, #KEYS, 3 do
  local wanted, got = ARGV[2 + (i + 2) / 3], {}
  local leases = redis.call('HGETALL', KEYS[i])
  local holders = {}
  for j = 1, #leases, 2 do
    if leases[j + 1] == worker and not has(wanted, leases[j]) then
      redis.call('HDEL', KEYS[i], leases[j])
      -- The holder of the clock was there until now, however long ago that was last noted.
      if leases[j] == 'clock' and redis.call('EXISTS', KEYS[i + 1]) == 1 then
        set_alive(KEYS[i + 1], now, KEYS[i + 2])
      end
    else
      holders[leases[j]] = leases[j + 1]
    end
  end
  for work in string.gmatch(wanted, '%S+') do
    local holder = holders[work]
    if holder ~= worker and not (holder and has(workers, holder)) then
      redis.call('HSET', KEYS[i], work, worker)
      holder = worker
    end
    if holder == worker then got[#got + 1] = work end
  end
  held[#held + 1] = table.concat(got, ' ')
end
return held
