-- Returns version and data of a session, or nothing. A ttl other than 0 extends it.
-- KEYS: session, its events of requests, its events of no request, its streams, the
-- sessions by expiry
-- ARGV: id, ttl in milliseconds
local session, expiry = KEYS[1], KEYS[5]
local found = redis.call('HMGET', session, 'version', 'data')
if not found[1] then
	return {}
end
local ttl = tonumber(ARGV[2])
if ttl > 0 then
	local time = redis.call('TIME')
	local now = time[1] * 1000 + math.floor(time[2] / 1000)
	for i = 1, 4 do
		redis.call('PEXPIRE', KEYS[i], ttl)
	end
	redis.call('ZADD', expiry, string.format('%.0f', now + ttl), ARGV[1])
	if redis.call('PTTL', expiry) < ttl then
		redis.call('PEXPIRE', expiry, ttl)
	end
end
return found
