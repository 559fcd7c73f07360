-- KEYS the workers by the moment at which they count as gone, their chats   ARGV worker
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
