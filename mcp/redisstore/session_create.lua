-- Stores a new session. Returns 0 if there is no room.
-- KEYS: session, its events of requests, its events of no request, its streams, the
-- sessions by expiry
-- ARGV: id, data, ttl in milliseconds, the limit of sessions
local session, requests, none, streams, expiry = unpack(KEYS)
local id, ttl = ARGV[1], tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', expiry, '-inf', now)
if not redis.call('ZSCORE', expiry, id) and redis.call('ZCARD', expiry) >= tonumber(ARGV[4]) then
	return 0
end
redis.call('DEL', session, requests, none, streams)
redis.call('HSET', session, 'version', 1, 'data', ARGV[2])
redis.call('PEXPIRE', session, ttl)
redis.call('ZADD', expiry, string.format('%.0f', now + ttl), id)
if redis.call('PTTL', expiry) < ttl then
	redis.call('PEXPIRE', expiry, ttl)
end
return 1
