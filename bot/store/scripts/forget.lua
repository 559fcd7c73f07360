-- KEYS state, log, shown, delivered, then the sorted sets that may name the table   ARGV table
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HDEL', KEYS[4], ARGV[1])
for i = 5, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
