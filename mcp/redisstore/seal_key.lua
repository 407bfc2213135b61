-- Returns the seal key, which it sets if there is none.
-- KEYS: the key
-- ARGV: a new one
redis.call('SETNX', KEYS[1], ARGV[1])
return redis.call('GET', KEYS[1])
