-- KEYS dirty set of each partition   ARGV limit for each   -> table, mark, table, …
local found = {}
for i = 1, #KEYS do
  local all = redis.call('ZRANGE', KEYS[i], 0, ARGV[1] - 1, 'WITHSCORES')
  for j = 1, #all, 2 do
    found[#found + 1] = all[j]
    found[#found + 1] = tonumber(all[j + 1])
  end
end
return found
