-- Gives back what was booked. ARGV: time; permits of each key, packed; whether it is the first part; the handle; the limits of
-- each key, as they were.
local first, handle, at = ARGV[3] == '1', ARGV[4], 1

local function giveBack(key, section, base, place, permits)
  local m = memoryOf(key, section, base, key.now)
  m.rule.giveBack(m, permits, first, unpack(place))
  saveBlocks(key, m)
  return packSection(m, base), m.rule.expires(m)
end

for i = 1, #KEYS / 2 do
  local key, created = load(i)
  local permits = struct.unpack('>I7', ARGV[2], 7 * i - 6)
  created, at = struct.unpack('>I8', handle, at)
  local booked = permits > 0 and key.last and key.created == created
  if booked then
    turn(key, time, NEVER) -- a step is for the next decision to find
    key.now = math.max(key.raw, key.last)
  end
  local expires = key.blocked
  for _, limit in ipairs(limits(ARGV[4 + i])) do
    local place = { struct.unpack(algorithms[limit.kind].PLACE, handle, at) }
    at = table.remove(place)
    for n, section in ipairs(key.sections) do
      if booked and section[1] == limit.kind and section[2] == limit.name then
        key.sections[n] = giveBack(key, section, key.base, place, permits)
      end
    end
    for _, kept in ipairs(key.dormant) do
      if booked and kept[3][1] == limit.kind and kept[3][2] == limit.name then
        kept[3], kept[1] = giveBack(key, kept[3], kept[2], place, permits)
      end
    end
  end
  if booked then
    save(key, key.sections, math.max(expires, rest(key)))
  end
end
return 0
