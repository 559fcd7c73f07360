-- KEYS lease, alive of each partition   ARGV worker
local now = clock()
for i = 1, #KEYS, 2 do
  if redis.call('GET', KEYS[i]) == ARGV[1] then
    redis.call('DEL', KEYS[i])
    local patience = string.match(redis.call('GET', KEYS[i + 1]), ' (%d+)$')
    set_alive(KEYS[i + 1], now, patience)
  end
end
