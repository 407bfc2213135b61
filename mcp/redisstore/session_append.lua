-- Appends events to those of a session. Returns 0 if there is no such session.
-- KEYS: session, its events of requests, its events of no request, its streams
-- ARGV: channel, size limit, then stream, source, number, last and data of each event
local session, requests, none, streams = unpack(KEYS)
local maxBytes = tonumber(ARGV[2])
local ttl = redis.call('PTTL', session)
if ttl < 0 then
	return 0
end

local position = tonumber(redis.call('HGET', session, 'position') or 0)
local bytes = {
	[requests] = tonumber(redis.call('HGET', session, 'bytes') or 0),
	[none] = tonumber(redis.call('HGET', session, 'bytesOfNone') or 0),
}
for i = 3, #ARGV, 5 do
	local stream, number, last, data = ARGV[i], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
	local log, from = requests, stream
	if stream == '0' then
		log, from = none, '0/' .. ARGV[i + 1]
	end
	local before = redis.call('HGET', streams, from)
	if not before or tonumber(number) > tonumber(before) then
		redis.call('HSET', streams, from, number)
		position = position + 1
		bytes[log] = bytes[log] + #data
		redis.call('XADD', log, string.format('%.0f-0', position), 's', stream, 'n', number, 'l', last, 'd', data)
	end
end

for log, size in pairs(bytes) do
	while size > maxBytes and redis.call('XLEN', log) > 1 do
		local first = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
		local field = {}
		for i = 1, #first[2], 2 do
			field[first[2][i]] = first[2][i + 1]
		end
		redis.call('XDEL', log, first[1])
		size = size - #field.d
		if field.l == '1' then
			redis.call('HDEL', streams, field.s)
		end
	end
	bytes[log] = size
end

redis.call('HSET', session, 'position', string.format('%.0f', position), 'bytes', string.format('%.0f', bytes[requests]), 'bytesOfNone', string.format('%.0f', bytes[none]))
for i = 2, #KEYS do
	redis.call('PEXPIRE', KEYS[i], ttl)
end
redis.call('PUBLISH', ARGV[1], '')
return 1
