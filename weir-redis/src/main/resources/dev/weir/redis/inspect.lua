-- Describes the state of a key, and writes nothing. ARGV: time; limits; the most runs to report (4), and for each limit how many
-- numbers of permits it is asked about (1) and those numbers (7 each).
--
-- Answers, packed: the time; when the block ends, or 0 (8 each); and for each limit what remains of it alone (8; -1: no bound), 1 if
-- older runs were left out (1), for each number of permits the wait until they fit it alone (8; -1: never), and its runs and its
-- pending ones: how many (4), and newest first their stamps and weights (8 each). The work is bounded.
local target = openKeys(1, listsIn(ARGV[2]))
local key = target.keys[1]
local most, at = decode('>I4', ARGV[3])
local parts = { encode('>i8i8', key.now, key.blocked) }

-- Returns the newest runs that count and the newest pending ones, packed; and whether there are more.
local function newest(m)
  local counted, pending, runs, all = {}, {}, {}, true
  if m.rules.runs then
    runs, all = m.rules.runs(m, most)
  end
  for _, run in ipairs(runs) do
    local stamp, weight, isPending = unpack(run)
    local list = isPending and pending or counted
    if weight > 0 and #list < most then
      list[#list + 1] = encode('>i8i8', stamp, weight)
    else
      all = all and weight == 0
    end
  end
  return counted, pending, not all
end

for _, m in ipairs(key.memories) do
  local count
  count, at = decode('>B', ARGV[3], at)
  local remaining = m.rules.remaining(m)
  local counted, pending, more = newest(m)
  parts[#parts + 1] = encode('>i8B', remaining == NEVER and -1 or remaining, more and 1 or 0)
  for _ = 1, count do
    local permits
    permits, at = decode('>I7', ARGV[3], at)
    steps, exhausted = 0, false
    local wait = m.rules.earliest(m, 0, permits)
    parts[#parts + 1] = encode('>i8', wait == NEVER and -1 or wait)
  end
  parts[#parts + 1] = encode('>I4', #counted) .. table.concat(counted)
  parts[#parts + 1] = encode('>I4', #pending) .. table.concat(pending)
end
return table.concat(parts)
