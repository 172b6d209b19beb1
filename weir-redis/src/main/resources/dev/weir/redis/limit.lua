-- A list of limits, packed: how many they are (1), and for each its kind (1), window with its margin, permits, tick (7 each), flags (1), burst, which is the most permits of a
-- request (7), and the prefix that identifies a state: format (1), kind (1; 8 more if attempts count), window (7), a hash of the name (3), a checksum of these (1).
-- The state of one limit is a section: the prefix; the time of creation and when the Redis key expires (7 each); what the algorithm needs;
-- and the time of the latest request that changed it (7). What most requests change is at the end, so that they write little. A log of one
-- request is cut short: after its creation, which is also the latest request, come 8 bytes.
local FORMAT, LIMIT, CREATED, BEFORE_END = 5, 43, 14, '27' -- the bytes of a limit; the place of the creation; the bytes up to the expiry
local SHORTEST = 28 -- the bytes of a section cut short

-- Returns the limit that is packed at a place.
local function limitAt(packed, at)
  local kind, window, permits, tick, flags, burst, prefix = decode('>BI7I7I7BI7c13', packed, at)
  return { kind = kind, window = window, permits = permits, tick = tick, flags = flags, burst = burst, prefix = prefix }
end
