-- Adds a message to those of the bus, and deletes the oldest beyond a number and a size.
-- KEYS: messages, their size
-- ARGV: channel, message, the limits of messages and of bytes, time to live in milliseconds
local messages, size = unpack(KEYS)
local maxMessages, maxBytes, ttl = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
redis.call('XADD', messages, '*', 'm', ARGV[2])
local bytes = redis.call('INCRBY', size, #ARGV[2])
local n = redis.call('XLEN', messages)
while n > 1 and (n > maxMessages or bytes > maxBytes) do
	local first = redis.call('XRANGE', messages, '-', '+', 'COUNT', 1)[1]
	redis.call('XDEL', messages, first[1])
	bytes = redis.call('DECRBY', size, #first[2][2])
	n = n - 1
end
redis.call('PEXPIRE', messages, ttl)
redis.call('PEXPIRE', size, ttl)
redis.call('PUBLISH', ARGV[1], '')
return 1
