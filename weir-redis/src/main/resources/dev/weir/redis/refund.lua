-- Refunds permits of a reservation. ARGV: time; permits of each key (7 each); 1 if nothing was refunded before; the handle; the
-- limits of each key, as they were.
local permits, firstTime, handle, at = ARGV[2], ARGV[3] == '1', ARGV[4], 1

-- Opens a section under the limit that it was written under, and refunds.
local function refund(key, section, limit, rules, place, amount)
  limit.window, limit.prefix = decode('>I7', section.bytes, 3), section.bytes:sub(1, CREATED - 1)
  if rules.restore then rules.restore(limit, section.bytes) end
  local m = openLimit(key, limit, section)
  rules.refund(m, amount, firstTime, unpack(place))
end

for i = 1, #KEYS / 2 do
  local key, limits = loadKey(i), listsIn(ARGV[4 + i])[1]
  local amount = decode('>I7', permits, 7 * i - 6)
  turn(key, NEVER) -- a step of the clock is for the next decision to find
  for _, limit in ipairs(limits) do
    local rules = rulesOf(limit.kind)
    local place = { decode(rules.handle, handle, at) }
    at = table.remove(place)
    local section = amount > 0 and limit.flags ~= ATTEMPTS and takeSection(key, limit) -- attempts are not refunded
    if section then
      refund(key, section, limit, rules, place, amount)
    end
  end
  saveChanged(key)
end
return 0
