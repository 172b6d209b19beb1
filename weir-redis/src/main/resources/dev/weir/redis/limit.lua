-- Limits, packed: for each permits (7), tick (7), flags (1), prefix, burst (7). The prefix identifies a state: format (1), kind (1),
-- window with its margin (7), length of the name (1), name. The state of one limit is a section: the prefix, the time of creation
-- (7), and what the algorithm needs, which begins with the time of the latest request (7) unless that is the creation.
-- Returns the limit that is packed at a place, and the place behind it.
local function limitAt(packed, at)
  local permits, tick, flags, _, kind, window, length = decode('>I7I7BBBI7B', packed, at)
  local behind = at + 25 + length
  local prefix, burst = packed:sub(at + 15, behind - 1), decode('>I7', packed, behind)
  return { prefix = prefix, kind = kind, window = window, permits = permits, tick = tick, flags = flags, burst = burst },
    behind + 7
end
