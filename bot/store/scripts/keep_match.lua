-- KEYS matches, times, tally
-- ARGV table, progress, milliseconds since the epoch, value, matches kept, milliseconds to keep them,
--      a digest of the tally as it was read (0: there was none) | any: it must be made anew, the new tally
-- -> 0 when the tally was changed meanwhile, else 1
-- A value with less progress than the stored one is outdated; one with the same progress does not change the
-- time.
local tally = redis.call('GET', KEYS[3])
local read = tally and tonumber(string.sub(redis.sha1hex(tally), 1, 13), 16) or 0
if ARGV[7] ~= 'any' and read ~= tonumber(ARGV[7]) then return 0 end
local id, progress = ARGV[1], tonumber(ARGV[2])
local held = redis.call('HGET', KEYS[1], id)
local before = held and struct.unpack('>I4', held) or -1
if progress < before then return 1 end
redis.call('HSET', KEYS[1], id, struct.pack('>I4', progress) .. ARGV[4])
if progress > before then redis.call('ZADD', KEYS[2], ARGV[3], id) end
for _ = 1, redis.call('ZCARD', KEYS[2]) - ARGV[5] do
  redis.call('HDEL', KEYS[1], redis.call('ZPOPMIN', KEYS[2])[1])
end
if ARGV[7] == 'any' then
  redis.call('DEL', KEYS[3])
else
  redis.call('SET', KEYS[3], ARGV[8], 'PX', ARGV[6])
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 1
