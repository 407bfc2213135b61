-- Replaces the data of a session of the version. Returns the new version, 0 if the
-- version is another one, and -1 if there is no such session.
-- KEYS: session
-- ARGV: version, data
local version = redis.call('HGET', KEYS[1], 'version')
if not version then
	return -1
end
if version ~= ARGV[1] then
	return 0
end
redis.call('HSET', KEYS[1], 'data', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'version', 1)
