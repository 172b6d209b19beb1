-- What all scripts of Weir begin with. KEYS are, for each key that is meant, its state and the hash of its blocks. ARGV[1] is
-- empty, or the time in microseconds, for tests and replay only. All numbers are whole and below 2^53.
local time
if ARGV[1] ~= '' then
  time = tonumber(ARGV[1])
else
  local read = redis.call('TIME')
  time = read[1] * 1000000 + read[2]
end
