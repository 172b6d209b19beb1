-- What the inspect script reports of a log: a part of the family of logs in that script only.
--
-- The work is bounded. A log that keeps more than `most` + SPARE runs, counting those that expired since it was last written, is
-- not walked as a whole: its numbers then err on the safe side, and it is reported as truncated.
local SPARE = 1024

-- A changed window makes a log count all its runs again. A long one is left as it was counted, by the window m.counted.
local unpackAndCount = log.unpack

function log.unpack(m, packed, base, now)
  local window = m.limit.window
  if packed and packed[4] and packed[1] ~= window and (packed[7] - packed[6]) * BLOCK > SPARE then
    m.limit.window = packed[1]
    unpackAndCount(m, packed, base, now)
    m.limit.window, m.counted = window, packed[1]
  else
    unpackAndCount(m, packed, base, now)
  end
end

-- The most weight that may count by the present window, of a log that is not walked as a whole.
local function atMost(m)
  return m.counted and m.counted < m.limit.window and m.expired > 0 and NEVER or m.total
end

-- Returns the runs from one position up to before another, newest first, as pairs of stamp and weight; and whether there are more
-- than `most`. Runs without weight, whose permits were refunded, are left out; at most `most` + SPARE runs are visited.
local function newestOf(m, from, to, most)
  local list, last = {}, math.max(from, to - most - SPARE)
  for i = to - 1, last, -1 do
    local at, weight = runs.get(m, i)
    if weight > 0 then
      if #list == most then
        return list, true
      end
      list[#list + 1] = struct.pack('>i8i8', at, weight)
    end
  end
  return list, last > from
end

-- Returns, for each number of permits in ascending order, a wait after which they fit a log that is too long to be walked as a
-- whole. `from` is the first run that counts now. First it looks for the newest runs beside which the permits fit: they do once all
-- older runs have expired. Unless permits are pending, the oldest runs say it exactly for few permits. At most `visits` runs at
-- either end are visited.
local function boundedFits(m, now, from, fits, visits)
  local waits, most, sum, n = {}, m.limit.permits, 0, #fits
  local last = math.max(from, runs.size(m) - 1 - visits)
  for i = runs.size(m) - 1, last, -1 do
    local at, weight = runs.get(m, i)
    while n > 0 and (sum + weight > most - fits[n] or (i == last and i > from)) do
      waits[n], n = math.max(0, leavesAfter(m, at, now)), n - 1
    end
    sum = sum + weight
  end
  for k = 1, n do
    waits[k] = 0
  end
  local left, k = atMost(m), 1
  if left == NEVER or hasPending(m, now) then
    return waits
  end
  while k <= #fits and left <= most - fits[k] do
    waits[k], k = 0, k + 1
  end
  for i = m.expired, math.min(m.expired + visits, runs.size(m)) - 1 do
    local at, weight = runs.get(m, i)
    left = left - weight
    while k <= #fits and left <= most - fits[k] do
      waits[k], k = math.max(0, leavesAfter(m, at, now)), k + 1
    end
  end
  return waits
end

-- Returns what remains; for each number of permits the wait until they fit; the runs that count now and the pending ones, newest
-- first; and whether older ones were left out.
function log.report(m, now, most, fits)
  local size, visits = runs.size(m), most + SPARE
  local waits, remaining, from, long = {}, 0, 0, m.counted or size - m.expired > visits
  if long then
    from = runs.upTo(m, now - m.limit.window)
    remaining = math.max(0, m.limit.permits - atMost(m))
    waits = boundedFits(m, now, from, fits, visits)
  else
    remaining = log.remaining(m, now)
    for n, permits in ipairs(fits) do
      waits[n] = log.earliest(m, now, 0, permits)
    end
    from, size = m.expired, runs.size(m)
  end
  local split = math.max(from, settled(m, now))
  local counted, more = newestOf(m, from, split, most)
  local pending, morePending = newestOf(m, split, size, most)
  return remaining, waits, counted, pending, long or more or morePending
end
