-- The start of each script. KEYS: for each key of a request, its state (a string) and its hash of blocks. ARGV[1] begins with a byte of
-- flags: 1: peek, which writes nothing, 2: 8 bytes follow, the time for tests and replays. All numbers are integers below 2^53; instants and
-- durations are microseconds.
--
-- `Script` replaces names in capitals by their values, because a function costs more for each variable that it captures.
local call, encode, decode = redis.call, struct.pack, struct.unpack
local NEVER, MOST = 2 ^ 1000, 2 ^ 53 -- a duration; the highest number
local ATTEMPTS, CLASSIC, FIRST, QUEUE = 1, 2, 4, 8 -- flags of limits
local MAX_PENDING, MAX_STEPS, MAX_SEARCHES = 1024, 100, 100 -- future reservations of a limit; for one request: steps of searches, searches
local MARGIN = 3000000 -- microseconds; more than what `keepFor` adds to the eighth
local options = ARGV[1]:byte()
local work = 0 -- what the script has done so far, see request.lua
local time, spare = nil, 0 -- milliseconds for which keys stay longer: a given time may pass more slowly than the server's
if options < 2 then
  local read = call('TIME')
  time = read[1] * 1000000 + read[2]
else
  time, spare = decode('>I8', ARGV[1], 2), 3600000
end

-- Returns the time to live in milliseconds of a key whose state counts for a duration, an eighth longer so that it need not be renewed each
-- time; and when the key then expires.
local function keepFor(duration)
  local millis = duration * 9 / 8000 + 2001
  millis = millis - millis % 1
  return millis + spare, time + 1000 * millis
end
