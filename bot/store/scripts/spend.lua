-- KEYS one list a window, newest call first   ARGV calls, milliseconds of each window
-- -> {0, the call's mark} (charged to all) | {milliseconds to wait} (charged to none)
local now, wait = clock(), 0
for i = 1, #KEYS do
  local nth = redis.call('LINDEX', KEYS[i], ARGV[2 * i - 1] - 1)
  -- The clock was set back, or that of another server was ahead: nobody is to wait for it to come there again.
  if nth and nth - now > tonumber(ARGV[2 * i]) then
    redis.call('DEL', KEYS[i])
    nth = false
  end
  if nth then wait = math.max(wait, nth + ARGV[2 * i] - now + 1) end
end
if wait > 0 then return {wait} end

local mark = string.format('%.0f', now)
for i = 1, #KEYS do
  redis.call('LPUSH', KEYS[i], mark)
  redis.call('LTRIM', KEYS[i], 0, ARGV[2 * i - 1] - 1)
  redis.call('PEXPIRE', KEYS[i], ARGV[2 * i] + 1)
end
return {0, mark}
