-- Milliseconds since the epoch by the server's clock, the only clock the store knows.
local function clock()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- How far a partition's clock is behind the server's. It stands still while nobody is at work there, so
-- deadlines never expire while the service is down; `look` postpones them. It is ahead (below 0) if the server's
-- clock was set back, or another server with another clock has taken over.
local function behind(alive, now)
  local mark = redis.call('GET', alive)
  if not mark then return 0 end
  local seen, patience = string.match(mark, '^(%d+) (%d+)$')
  local gap = now - seen
  return math.abs(gap) > tonumber(patience) and gap or 0
end

-- The time for which nobody need be seen at work; the shorter one where tables are played.
local PATIENCE, LONG_PATIENCE = 2000, 6000

local function set_alive(alive, now, deadlines)
  local patience = redis.call('EXISTS', deadlines) == 1 and PATIENCE or LONG_PATIENCE
  redis.call('SET', alive, string.format('%.0f %.0f', now, patience))
end

-- The chats that are done with a mark: words with spaces around them.
local function done_with(delivered, key, mark)
  local held = redis.call('HGET', delivered, key)
  local of, chats = string.match(held or '', '^(%d+)(.*)$')
  return of and tonumber(of) >= tonumber(mark) and chats or ' '
end

-- Marks a table dirty, and returns the mark: microseconds, and always more than its last mark.
local function mark_dirty(dirty, id)
  local t = redis.call('TIME')
  local last = redis.call('ZSCORE', dirty, id)
  local mark = math.max(t[1] * 1000000 + t[2], (last or 0) + 1)
  redis.call('ZADD', dirty, mark, id)
  return mark
end

-- Notes a name in a set that is kept for at least so many seconds (0: for ever) or, with a moment, in a sorted
-- set that drops what is older.
local function note(key, name, seconds, moment)
  if moment ~= '' then
    redis.call('ZADD', key, 'NX', moment, name)
    redis.call('ZREMRANGEBYSCORE', key, 0, moment - seconds)
    redis.call('EXPIRE', key, seconds)
  else
    redis.call('SADD', key, name)
    if tonumber(seconds) > 0 and redis.call('TTL', key) < tonumber(seconds) then redis.call('EXPIRE', key, seconds) end
  end
end

-- Sets a moment in an agenda, by the wall clock of the caller, not by this server's.
local function put_down(agenda, at, id)
  if at == 'none' then
    redis.call('ZREM', agenda, id)
  elseif at ~= 'keep' then
    redis.call('ZADD', agenda, at, id)
  end
end
