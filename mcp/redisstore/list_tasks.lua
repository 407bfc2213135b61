-- Returns the values of at most n tasks of an owner with ids greater than after.
-- KEYS: tasks, expiry, ended, owners, bytes
-- ARGV: owner, after, n
local tasks, expiry, _, owners = unpack(KEYS)
local owner, after, n = ARGV[1] .. '/', ARGV[2], tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local from = '(' .. owner .. after
local values = {}
while #values < n do
	local members = redis.call('ZRANGEBYLEX', owners, from, '(' .. owner .. '\255', 'LIMIT', 0, n - #values)
	if #members == 0 then
		break
	end
	for _, member in ipairs(members) do
		local score = redis.call('ZSCORE', expiry, member)
		local value = redis.call('HGET', tasks, string.sub(member, #owner + 1))
		if value and score and tonumber(score) >= now then
			values[#values + 1] = value
		end
	end
	from = '(' .. members[#members]
end
return values
