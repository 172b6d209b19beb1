-- Returns the new time to live in milliseconds of a key whose state counts for a duration, and sets its expiry; nil if it need not change.
--   longest  the longest duration for which such a state counts, roughly
local function renewal(m, reset, longest)
  if time + reset + 1000000 <= m.expires and m.expires <= time + longest + MARGIN then return end
  local millis
  millis, m.expires = keepFor(reset)
  return millis
end
