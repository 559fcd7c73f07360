-- KEYS state, notes, dirty
-- ARGV table, version | 'any', word for what is replaced | '', then pairs: target, 'version worth message' | ''
-- -> 1, or 0 when nothing was noted: the first target is new, and the version another one
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return 1 end -- the table is gone, and with it what it showed
if ARGV[2] ~= 'any' and ARGV[2] ~= version and not redis.call('HGET', KEYS[2], ARGV[4]) then return 0 end

local function note(target, kept)
  local is_screen = ARGV[3] ~= '' and target == ARGV[4]
  -- A table's message is told from others by its first word; what follows says which picture it has.
  local function name(reference)
    return is_screen and string.match(reference, '^%S*') or reference
  end
  local version, message = string.match(kept, '^(%-?%d+) %S* (.*)$')
  local held = redis.call('HGET', KEYS[2], target)
  if held then
    local last, worth, before = string.match(held, '^(%-?%d+) (%S*) (.*)$')
    local is_same = name(message) == name(before)
    if tonumber(last) > tonumber(version) then
      if target ~= ARGV[4] then return end -- noted beside a screen: whoever was told of more since is not told again
      -- An older screen that arrived late, in a message of its own or by an edit of another process, may be what
      -- the target sees now.
      if is_same and not is_screen then return end
      mark_dirty(KEYS[3], ARGV[1])
    end
    if is_screen and not is_same and before ~= '' then
      redis.call('HSET', KEYS[2], ARGV[3] .. ' ' .. target .. ' ' .. before, last .. '  ' .. worth)
      mark_dirty(KEYS[3], ARGV[1])
    end
  end
  redis.call('HSET', KEYS[2], target, kept)
end

for at = 4, #ARGV, 2 do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[at])
  else
    note(ARGV[at], ARGV[at + 1])
  end
end
return 1
