-- The start of each script. KEYS: for each key of a request, its state (a string) and its hash of blocks. ARGV[1] begins with the
-- time: 0, or 1 and 8 bytes of microseconds, for tests and replays. All numbers are integers below 2^53; instants and durations
-- are microseconds.
local call, encode, decode = redis.call, struct.pack, struct.unpack
local floor, ceil, max, min, NEVER = math.floor, math.ceil, math.max, math.min, math.huge
local time, spare = nil, 0 -- milliseconds for which keys stay longer: a given time may pass more slowly than the server's
if ARGV[1]:byte() == 0 then
  local read = call('TIME')
  time = read[1] * 1000000 + read[2]
else
  time, spare = decode('>I8', ARGV[1], 2), 3600000
end
local MAX_PENDING, MAX_STEPS = 1024, 100 -- future reservations of a limit; steps of searching for one request
local steps, rounds, exhausted = 0, 0, false -- of the present request: searches, and agreements of several limits
local MOST = 2 ^ 53 -- numbers are integers up to here
local ATTEMPTS, CLASSIC, FIRST, QUEUE = 1, 2, 4, 8 -- flags of limits

local function damaged() error('WEIR state of another format') end

-- Returns for how many milliseconds a key is to be kept that expires after a number of microseconds: longer by an eighth of its window,
-- so that it need not be renewed each time.
local function keepFor(expiry, window) return ceil(max(0, expiry) / 1000) + ceil(window / 8000) + 2000 + spare end

-- Fails if a number is not one from 0 to MOST, because a state is damaged. Returns it.
local function checked(number)
  if not (number >= 0 and number <= MOST) then error('WEIR state is damaged') end
  return number
end
