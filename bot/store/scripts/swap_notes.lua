-- KEYS state, notes, this call
-- ARGV last moment (milliseconds since the epoch), 'version worth message' as every target was read | '', the new one,
--      then targets
-- -> {1} when nobody has changed them meanwhile, also if this call sent before noted them, else {0} | {'late', now}
if redis.call('EXISTS', KEYS[3]) == 1 then return {1} end
local now = clock()
if now > tonumber(ARGV[1]) then return {'late', now} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {0} end -- the table is gone, and with it what it showed
for at = 4, #ARGV do
  if (redis.call('HGET', KEYS[2], ARGV[at]) or '') ~= ARGV[2] then return {0} end
end
for at = 4, #ARGV do redis.call('HSET', KEYS[2], ARGV[at], ARGV[3]) end
-- A call is sent again within seconds, unless its process stalls.
redis.call('SET', KEYS[3], '', 'PX', 60000)
return {1}
