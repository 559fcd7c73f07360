-- KEYS state, log, deadlines, alive, dirty, ended, agenda, notes, a set for each hint …
-- ARGV last moment (milliseconds since the epoch), table, expected version, action (8 bytes) and call (4 bytes), state,
--      milliseconds to the deadline | keep | none, 1 to mark dirty, 1 to mark a result,
--      milliseconds since the epoch | keep | none,
--      the call that made the expected version | '', a version that the new one must be above, of each hint: name, seconds, moment | '', then log entries …
-- -> {'committed', version, now, due | nil, {target, its note, …}, mark | nil} | {'conflict', version}
--    | {'repeated', version} | {'late', now}
local id, expected, call, state, due = ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]
local ENTRY, KEPT = 16, 32 -- bytes an action (its digest, its call, the version it made), actions kept

local held = redis.call('HMGET', KEYS[1], 'v', 'a')
local version, actions = tonumber(held[1] or 0), held[2] or ''

local now = clock()
local late = behind(KEYS[4], now)
local function committed(made, mark)
  local at = redis.call('ZSCORE', KEYS[3], id)
  return {'committed', made, now, at and at + late, redis.call('HGETALL', KEYS[8]), mark}
end

for at = 1, #actions, ENTRY do
  if string.sub(actions, at, at + 7) == string.sub(call, 1, 8) then
    local made = struct.unpack('>I4', actions, at + 12)
    -- The same call was sent again, because the connection broke before its answer: it gets the answer now.
    if string.sub(actions, at, at + 11) == call then return committed(made, false) end
    return {'repeated', made}
  end
end
-- Whoever sent it has given it up and told people so, while this server did not answer.
if now > tonumber(ARGV[1]) then return {'late', now} end
-- After a failover another call may have made a version of that number.
if version ~= expected or (ARGV[10] ~= '' and string.sub(actions, 1, #ARGV[10]) ~= ARGV[10]) then
  return {'conflict', version}
end

-- The hints come first: where one cannot be noted, nothing is committed.
local first = 12
for i = 9, #KEYS do
  note(KEYS[i], unpack(ARGV, first, first + 2))
  first = first + 3
end
version = math.max(version, tonumber(ARGV[11])) + 1
actions = string.sub(call .. struct.pack('>I4', version) .. actions, 1, ENTRY * KEPT)
redis.call('HSET', KEYS[1], 'v', version, 's', state, 'a', actions)
for i = first, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end

if due == 'none' then
  redis.call('ZREM', KEYS[3], id)
elseif due ~= 'keep' then
  redis.call('ZADD', KEYS[3], now + due - late, id)
end
-- The partition has a clock from the first thing on that it waits for.
local waits = tonumber(due) or tonumber(ARGV[9])
if waits and redis.call('EXISTS', KEYS[4]) == 0 then set_alive(KEYS[4], now, KEYS[3]) end
local mark = ARGV[7] == '1' and mark_dirty(KEYS[5], id)
if ARGV[8] == '1' then mark_dirty(KEYS[6], id) end
put_down(KEYS[7], ARGV[9], id)
return committed(version, mark)
