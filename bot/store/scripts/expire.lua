-- KEYS state, log, shown, deadlines   ARGV table, milliseconds
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
redis.call('ZREM', KEYS[4], ARGV[1])
