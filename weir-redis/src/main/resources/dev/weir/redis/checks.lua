-- What the rules of all families need.
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local steps, moves, searches, exhausted = 0, 0, 0, false -- of the present request: steps of searches, those that moved on, searches

-- Returns the name of the hash of a key or a log. Fails if the script was not given it, see `Keys.withoutHash`: nothing is written then.
local function hashOf(owner) return KEYS[1] ~= KEYS[2] and owner.blocks or error('TRYAGAIN The slot moves, and the key needs its hash') end

local function damaged() error('WEIR state is damaged') end

-- Fails if a number is not one from 0 to MOST, because a state is damaged. Returns it.
local function checked(number)
  if not (number >= 0 and number <= MOST) then damaged() end
  return number
end
