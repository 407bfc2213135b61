-- Appends events to those of a session. Returns 0 if there is no such session.
-- KEYS: session, its events, its streams
-- ARGV: channel, size limit, then stream, number, last and data of each event
local session, log, streams = unpack(KEYS)
local maxBytes = tonumber(ARGV[2])
local ttl = redis.call('PTTL', session)
if ttl < 0 then
	return 0
end

local position = tonumber(redis.call('HGET', session, 'position') or 0)
local bytes = tonumber(redis.call('HGET', session, 'bytes') or 0)
for i = 3, #ARGV, 4 do
	local stream, number, last, data = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
	local before = stream ~= '0' and redis.call('HGET', streams, stream)
	if not before or tonumber(number) > tonumber(before) then
		if stream ~= '0' then
			redis.call('HSET', streams, stream, number)
		end
		position = position + 1
		bytes = bytes + #data
		redis.call('XADD', log, string.format('%.0f-0', position), 's', stream, 'n', number, 'l', last, 'd', data)
	end
end

while bytes > maxBytes and redis.call('XLEN', log) > 1 do
	local first = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
	local field = {}
	for i = 1, #first[2], 2 do
		field[first[2][i]] = first[2][i + 1]
	end
	redis.call('XDEL', log, first[1])
	bytes = bytes - #field.d
	if field.l == '1' then
		redis.call('HDEL', streams, field.s)
	end
end

redis.call('HSET', session, 'position', string.format('%.0f', position), 'bytes', string.format('%.0f', bytes))
redis.call('PEXPIRE', log, ttl)
redis.call('PEXPIRE', streams, ttl)
redis.call('PUBLISH', ARGV[1], '')
return 1
