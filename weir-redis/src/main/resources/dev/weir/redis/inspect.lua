-- Describes the state of a key, and writes nothing. ARGV: time; limits; packed, the most runs to report, and for each limit how
-- many numbers of permits it is asked about and those numbers.
--
-- Answers, packed: the time; when the block ends, or 0; and for each limit what remains of it alone (-1: no bound), 1 if older
-- runs were left out, for each number of permits the wait until they fit it alone (-1: never), and its runs and its pending ones:
-- how many, and newest first their stamps and weights. Each algorithm's work is bounded: see inspect-log.lua; a fixed window has
-- at most 1,024 windows and the others one number.
keys, lag = {}, 0
open(1, 1)
local key = keys[1]
remember(key)

local most, at = struct.unpack('>I4', ARGV[3])
local parts = { struct.pack('>i8i8', key.now, blockedFor(key) > 0 and key.blocked or 0) }

-- Packs runs, newest first.
local function packRuns(list)
  parts[#parts + 1] = struct.pack('>I4', #list) .. table.concat(list)
end

-- Returns the windows of a fixed window that have begun or that are pending, newest first; and whether there are more than `most`.
local function newestWindows(m, pending)
  local list, more = {}, false
  for i = #m.list - 1, 1, -2 do
    if (m.list[i] > key.now) == pending then
      more = #list == most
      if more then
        break
      end
      list[#list + 1] = struct.pack('>i8i8', m.list[i], m.list[i + 1])
    end
  end
  return list, more
end

-- Returns what log.report returns, for the other algorithms.
local function report(m, fits)
  local remaining, waits = m.rule.remaining(m, key.now), {}
  for n, permits in ipairs(fits) do
    waits[n] = m.rule.earliest(m, key.now, 0, permits)
  end
  if not m.list then
    return remaining, waits, {}, {}, false
  end
  local counted, more = newestWindows(m, false)
  local pending, morePending = newestWindows(m, true)
  return remaining, waits, counted, pending, more or morePending
end

for _, m in ipairs(key.memories) do
  local count, fits
  count, at = struct.unpack('>B', ARGV[3], at)
  fits = { struct.unpack('>' .. string.rep('I7', count), ARGV[3], at) }
  at = table.remove(fits)
  local remaining, waits, counted, pending, truncated
  if m.rule.report then
    remaining, waits, counted, pending, truncated = m.rule.report(m, key.now, most, fits)
  else
    remaining, waits, counted, pending, truncated = report(m, fits)
  end
  parts[#parts + 1] = struct.pack('>i8B', remaining == math.huge and -1 or remaining, truncated and 1 or 0)
  for _, wait in ipairs(waits) do
    parts[#parts + 1] = struct.pack('>i8', wait == NEVER and -1 or wait)
  end
  packRuns(counted)
  packRuns(pending)
end
return table.concat(parts)
