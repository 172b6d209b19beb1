-- Limits, packed: for each its kind (1), window with its margin, permits, tick (7 each), flags (1), burst, which is the most permits of a
-- request (7), and the prefix that identifies a state: format (1), kind (1), window (7), a hash of the name (3), a checksum of these (1).
-- The state of one limit is a section: the prefix; the time of creation, when the Redis key expires, the time of the latest request that
-- changed it (7 each); and what the algorithm needs. A log of one request is cut short: after its creation, which is also the latest
-- request, come 8 bytes.
local FORMAT, LIMIT, CREATED, LAST = 3, 43, 14, 28 -- the bytes of a limit; the places of the creation and of the latest request
local SHORTEST, BEFORE_LAST = 28, '27' -- the bytes of a section cut short; the bytes before the latest request
local RARE_AT = 601 -- the place of what only the sections of logs with blocks, pending reservations or changed limits have

-- Returns the limit that is packed at a place.
local function limitAt(packed, at)
  local kind, window, permits, tick, flags, burst, prefix = decode('>BI7I7I7BI7c13', packed, at)
  return { kind = kind, window = window, permits = permits, tick = tick, flags = flags, burst = burst, prefix = prefix }
end
