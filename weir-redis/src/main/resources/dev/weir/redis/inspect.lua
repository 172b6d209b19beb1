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

-- Packs the first runs of a list. Returns them, and whether there are more.
local function newest(list)
  local count = min(#list / 2, most)
  local packed = { encode('>I4', count) }
  for i = 1, 2 * count, 100 do
    local last = min(2 * count, i + 99)
    packed[#packed + 1] = encode('>' .. string.rep('i8', last - i + 1), unpack(list, i, last))
  end
  return table.concat(packed), #list > 2 * count
end

local function noRuns() return {}, {}, true end -- of an algorithm that keeps none

for _, m in ipairs(key.memories) do
  local counted, pending, all = (m.rules.runs or noRuns)(m, most)
  local newestCounted, moreCounted = newest(counted)
  local newestPending, morePending = newest(pending)
  local remaining = m.rules.remaining(m)
  parts[#parts + 1] = encode('>i8B', remaining == NEVER and -1 or remaining, all and not (moreCounted or morePending) and 0 or 1)
  local count, permits
  count, at = decode('>B', ARGV[3], at)
  for _ = 1, count do
    permits, at = decode('>I7', ARGV[3], at)
    moves, exhausted = 0, false
    local wait = m.rules.earliest(m, 0, permits)
    parts[#parts + 1] = encode('>i8', wait == NEVER and -1 or wait)
  end
  parts[#parts + 1], parts[#parts + 2] = newestCounted, newestPending
end
return table.concat(parts)
