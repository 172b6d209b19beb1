-- What scripts of Weir begin with. KEYS are, for each key that is meant, its state and the hash of its blocks. ARGV[1] begins
-- with the time: 0, or 1 and 8 bytes of microseconds, for tests and replay only. All numbers are whole and below 2^53.
local time, spare = nil, 0 -- milliseconds for which keys stay longer than they need to
if ARGV[1]:byte() == 0 then
  local read = redis.call('TIME')
  time = read[1] * 1000000 + read[2]
else
  time, spare = struct.unpack('>I8', ARGV[1], 2), 3600000 -- that time may pass more slowly than the server's
end
