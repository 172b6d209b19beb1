-- Gives back what was booked. ARGV: time; permits of each key, packed; whether it is the first part; the handles of the keys.
local time, first, handles = clock(), ARGV[3] == '1', cmsgpack.unpack(ARGV[4])

local function giveBack(key, section, base, place, permits)
  local m = memoryOf(key, section, base, key.now)
  m.rule.giveBack(m, place, permits, first)
  local expires = m.rule.expires(m)
  saveBlocks(key, m, expires)
  return packSection(m, base), expires
end

for i = 1, #KEYS / 2 do
  local key, handle = load(i), handles[i]
  local permits = struct.unpack('>d', ARGV[2], 8 * i - 7)
  if permits > 0 and key.last and key.created == handle[1] then
    turn(key, time, STEP)
    key.now = math.max(key.raw, key.last)
    local expires = key.blocked
    for n = 2, #handle do
      local kind, name, place = unpack(handle[n])
      for at, section in ipairs(key.sections) do
        if section[1] == kind and section[2] == name then
          key.sections[at] = giveBack(key, section, key.base, place, permits)
        end
      end
      for _, kept in ipairs(key.dormant) do
        if kept[3][1] == kind and kept[3][2] == name then
          kept[3], kept[1] = giveBack(key, kept[3], kept[2], place, permits)
        end
      end
    end
    save(key, key.sections, math.max(expires, rest(key)))
  end
end
return 0
