-- The straight path of the kind of a limit; none for a limit that never denies.
local straights = {
  logStraight, logStraight, windowStraight, scheduleStraight, scheduleStraight, scheduleStraight, function() end,
}

local function straight(limit, ...) return straights[limit.kind](limit, ...) end
