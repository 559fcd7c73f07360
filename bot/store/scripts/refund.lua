-- KEYS lists to which a call was charged that was not made   ARGV the call's mark
for i = 1, #KEYS do redis.call('LREM', KEYS[i], 1, ARGV[1]) end
