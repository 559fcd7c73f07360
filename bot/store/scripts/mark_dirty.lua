-- KEYS state, dirty   ARGV table
if redis.call('EXISTS', KEYS[1]) == 1 then mark_dirty(KEYS[2], ARGV[1]) end
