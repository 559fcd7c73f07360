-- KEYS state, agenda   ARGV id, version, milliseconds since the epoch | none
-- A commit in between has set its own moment.
if tonumber(redis.call('HGET', KEYS[1], 'v') or 0) == tonumber(ARGV[2]) then put_down(KEYS[2], ARGV[3], ARGV[1]) end
