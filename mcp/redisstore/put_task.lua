-- Stores a task. Returns 1, or 0 if there is no room for a new one.
-- KEYS: tasks, expiry, ended, owners, bytes
-- ARGV: id, value, owner (32 characters), expiry and update in milliseconds, whether the
-- task has ended, the limits of tasks and of bytes
-- Members of the sorted sets are OWNER/ID.
local tasks, expiry, ended, owners, bytes = unpack(KEYS)
local id, value, owner = ARGV[1], ARGV[2], ARGV[3]
local maxTasks, maxBytes = tonumber(ARGV[7]), tonumber(ARGV[8])
local member = owner .. '/' .. id

local function delete(old)
	local oldID = string.sub(old, #owner + 2)
	local size = redis.call('HSTRLEN', tasks, oldID)
	if redis.call('HDEL', tasks, oldID) == 1 then
		redis.call('DECRBY', bytes, size)
	end
	redis.call('ZREM', expiry, old)
	redis.call('ZREM', ended, old)
	redis.call('ZREM', owners, old)
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', '(' .. now)) do
	delete(old)
end

local new = redis.call('HEXISTS', tasks, id) == 0
delete(member)
local function fits(part)
	return redis.call('HLEN', tasks) < maxTasks * part and tonumber(redis.call('GET', bytes) or 0) + #value <= maxBytes * part
end
if not fits(1) then
	-- As in memory, a sixteenth is freed, so that not every call has to.
	while not fits(15 / 16) do
		local first = redis.call('ZRANGE', ended, 0, 0)[1]
		if not first then
			break
		end
		delete(first)
	end
	if new and not fits(1) then
		return 0
	end
end
redis.call('HSET', tasks, id, value)
redis.call('INCRBY', bytes, #value)
redis.call('ZADD', expiry, ARGV[4], member)
redis.call('ZADD', owners, 0, member)
if ARGV[6] == '1' then
	redis.call('ZADD', ended, ARGV[5], member)
end

-- Everything goes when the last task expires, even if nothing is stored any more.
local last = redis.call('ZREVRANGE', expiry, 0, 0, 'WITHSCORES')[2]
for _, key in ipairs(KEYS) do
	redis.call('PEXPIREAT', key, string.format('%.0f', tonumber(last) + 1000))
end
return 1
