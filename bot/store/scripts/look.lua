-- KEYS leases, alive, deadlines, moved, dirty, delivered, ended, agenda, unattended, retries of each partition
-- ARGV limit for each, milliseconds since the epoch by the agenda's clock, worker
-- -> of each partition {the work that is the worker's, milliseconds in which nobody was at work,
--    milliseconds to its next deadline | nil, {table, milliseconds since its deadline, …},
--    {table whose deadline was moved on, mark, …}, {key, mark, chats that are done with it, …}, {table, mark, …},
--    {id, milliseconds in which nobody was at work, …}, next moment of the agenda | nil, {recipient, moment, …}}
local now, limit, moment, worker = clock(), ARGV[1], ARGV[2], ARGV[3]

-- A clock that ends later by less is not shown anew: an overloaded process would only get more to do.
local SEEN = 5000

-- Everything that follows is noted here, since the worker may be killed at any moment.
local function move_on(deadlines, moved, agenda, unattended, gap)
  local all = redis.call('ZRANGE', deadlines, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    redis.call('ZADD', deadlines, all[i + 1] + gap, all[i])
    if math.abs(gap) >= SEEN then mark_dirty(moved, all[i]) end
  end
  if gap < 0 then return end -- the agenda follows another clock
  for _, id in ipairs(redis.call('ZRANGE', agenda, 0, -1)) do
    redis.call('HINCRBY', unattended, id, string.format('%.0f', gap))
    redis.call('ZADD', agenda, 'LT', moment, id)
  end
end

-- A worker is present, so the clock runs; a partition with nothing to wait for has none. The mark is renewed
-- seldom, to keep the append-only file short.
local function attend(alive, deadlines, moved, agenda, unattended)
  local mark = redis.call('GET', alive)
  local gap = behind(alive, now)
  if gap ~= 0 then move_on(deadlines, moved, agenda, unattended, gap) end
  if redis.call('EXISTS', deadlines, agenda) == 0 then
    if mark then redis.call('DEL', alive) end
    return gap
  end
  local seen, patience = string.match(mark or '0 0', '^(%d+) (%d+)$')
  if math.abs(now - seen) > patience / 2 then set_alive(alive, now, deadlines) end
  return gap
end

local function up_to(set, most)
  return redis.call('ZRANGEBYSCORE', set, '-inf', most, 'WITHSCORES', 'LIMIT', 0, limit)
end

local function after(set, least)
  local all = redis.call('ZRANGEBYSCORE', set, string.format('(%.0f', least), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return all[2] and tonumber(all[2]) or false
end

local function marked(set) return redis.call('ZRANGE', set, 0, limit - 1, 'WITHSCORES') end

local function numbers(all)
  for i = 2, #all, 2 do all[i] = tonumber(all[i]) end
  return all
end

local function work_at(leases)
  local mine, all = {}, redis.call('HGETALL', leases)
  for i = 2, #all, 2 do
    if all[i] == worker then mine[all[i - 1]] = true end
  end
  return mine
end

local function waiting(dirty, delivered)
  local all = {}
  for i, each in ipairs(marked(dirty)) do
    all[#all + 1] = i % 2 == 1 and each or tonumber(each)
    if i % 2 == 0 then all[#all + 1] = done_with(delivered, all[#all - 1], all[#all]) end
  end
  return all
end

local function to_look_at(agenda, unattended)
  local all = up_to(agenda, moment)
  for i = 1, #all, 2 do all[i + 1] = tonumber(redis.call('HGET', unattended, all[i]) or 0) end
  return all
end

local found = {}
for i = 1, #KEYS, 10 do
  local leases, alive, deadlines, moved, dirty, delivered, ended, agenda, unattended, retries = unpack(KEYS, i, i + 9)
  local mine, words = work_at(leases), {}
  for work in pairs(mine) do words[#words + 1] = work end
  local gap = mine.clock and attend(alive, deadlines, moved, agenda, unattended) or 0
  local there = now - behind(alive, now)
  local late, next = up_to(deadlines, there), after(deadlines, there)
  for j = 2, #late, 2 do late[j] = there - late[j] end
  found[#found + 1] = {
    table.concat(words, ' '), math.max(gap, 0), next and next - there, late, numbers(marked(moved)), waiting(dirty, delivered),
    numbers(marked(ended)), to_look_at(agenda, unattended), after(agenda, moment), numbers(up_to(retries, now)),
  }
end
return found
