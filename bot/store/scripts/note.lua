-- KEYS one set each   ARGV member, seconds for which a set is kept (0: for ever)
for i = 1, #KEYS do
  redis.call('SADD', KEYS[i], ARGV[1])
  if ARGV[2] ~= '0' then redis.call('EXPIRE', KEYS[i], ARGV[2]) end
end
