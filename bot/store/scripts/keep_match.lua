-- KEYS matches, times   ARGV table, progress, milliseconds since the epoch, value, matches kept, milliseconds to keep them
-- A value with less progress than the stored one is outdated; one with the same progress does not change the
-- time.
local id, progress = ARGV[1], tonumber(ARGV[2])
local held = redis.call('HGET', KEYS[1], id)
local before = held and struct.unpack('>I4', held) or -1
if progress < before then return end
redis.call('HSET', KEYS[1], id, struct.pack('>I4', progress) .. ARGV[4])
if progress > before then redis.call('ZADD', KEYS[2], ARGV[3], id) end
for _ = 1, redis.call('ZCARD', KEYS[2]) - ARGV[5] do
  redis.call('HDEL', KEYS[1], redis.call('ZPOPMIN', KEYS[2])[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
