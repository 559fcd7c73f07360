-- KEYS a person's tokens   -> all of them, also those of an older version's plain set
if redis.call('TYPE', KEYS[1])['ok'] == 'set' then return redis.call('SMEMBERS', KEYS[1]) end
return redis.call('ZRANGE', KEYS[1], 0, -1)
