-- KEYS one set each   ARGV member, seconds for which a set is kept at least (0: for ever)
local seconds = tonumber(ARGV[2])
for i = 1, #KEYS do
  redis.call('SADD', KEYS[i], ARGV[1])
  if seconds > 0 and redis.call('TTL', KEYS[i]) < seconds then redis.call('EXPIRE', KEYS[i], seconds) end
end
