-- The sliding log of the textbooks: a sorted set of the requests admitted, on the server's clock in microseconds.
-- KEYS[1] the set; ARGV[1] the permits, ARGV[2] the window in microseconds, ARGV[3] the same in milliseconds, rounded up,
-- ARGV[4] a member that nobody else adds. Answers 1 if admitted, else 0.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[2]))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
