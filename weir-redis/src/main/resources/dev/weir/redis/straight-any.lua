-- The straight path of the kind of a limit; none for a limit that never denies.
local function straight(limit, state, at, behind, permits, count, dry)
  local kind = limit.kind
  if kind < 3 then
    return logStraight(limit, state, at, behind, permits, count, dry)
  elseif kind == 3 then
    return windowStraight(limit, state, at, behind, permits, count, dry)
  elseif kind < 7 then
    return scheduleStraight(limit, state, at, behind, permits, count, dry)
  end
end
