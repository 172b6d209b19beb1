-- The arguments of a script that decides. ARGV[1]: the time, see clock.lua; a byte of flags (1: look and write nothing, 2: add
-- statuses even for one limit); and the groups. ARGV[2...]: the limits of each key.
--
-- A group has joint requests on keys of its own: the number of keys in each (2 bytes) and of kinds of them (4); for each kind the
-- number of equal requests (4), the longest wait (7) and the permits for each key (7), in order of arrival.
local groups = ARGV[1]
local first = groups:byte() == 0 and 2 or 10
local flags = groups:byte(first)
local look, always = flags % 2 == 1, flags >= 2

-- The only request of the script, if it has one, for one limit, and does not only look; and the state, false if there is none.
-- `only`: whether that is a section of this very limit and nothing else, so that the straight path may decide.
local only, count, patience, permits, most, tick, flag, window, burst, prefix, at, state = false, 0
if #KEYS == 2 and flags == 0 then
  local claims, kinds, kind, length, _
  claims, kinds, count, patience, permits = decode('>I2I4I4I7I7', groups, first + 1)
  most, tick, flag, _, kind, window, length = decode('>I7I7BBBI7B', ARGV[2])
  if claims == 1 and kinds == 1 and #ARGV[2] == length + 32 then
    prefix, at, state = ARGV[2]:sub(16, 25 + length), length + 11, call('GET', KEYS[1])
    only = state and #state >= at + 14 and state:sub(1, at - 1) == prefix
  end
end
local together -- the straight path for several limits or keys, if this family has one
