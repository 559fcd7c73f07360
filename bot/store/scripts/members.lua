-- KEYS sorted sets   -> the members of all of them
local all = {}
for _, set in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZRANGE', set, 0, -1)) do all[#all + 1] = member end
end
return all
