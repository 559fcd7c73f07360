-- KEYS state, log, notes, delivered, unattended, then the sorted sets that may name the table   ARGV table
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
for i = 4, 5 do redis.call('HDEL', KEYS[i], ARGV[1]) end
for i = 6, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
