-- The straight path of a log, see straight.lua: the head of the state and the bytes of one block decide, by the rules of log.lua. It
-- makes few calls and no tables, and captures few variables, because it is most of the work that the server does.

-- Decides on a log in which nothing counts, see straight.lua; permits are granted at a stamp.
local function straightFirst(limit, stamp, permits, count, dry)
  local most, window = limit.permits, limit.window
  if dry then return count, 0, most, 0 end
  local number = count == 1 and 1 or math.min(count, (most - most % permits) / permits)
  local reset, weight, ahead = stamp + window - time, permits * number, stamp - time
  if ahead >= 2 ^ 31 or ahead <= -2 ^ 31 or weight >= 2 ^ 32 then return end
  local handle = encode('>I7I7', time, limit.flags == ATTEMPTS and 0 or stamp)
  return number, 0, most - permits, reset, handle, encode(ENTRY, time, ahead, weight), keepFor(reset)
end

-- Adds weight at a stamp to a log, and drops what is before the cursor, which has expired, if that is long. Returns the bytes that
-- change and the new time to live, see straight.lua; nothing if a block must be written.
local function straightAppend(window, state, bytes, behind, stamp, weight, created, newest, newestWeight, settled, next, nextWeight, prior,
  closed, expires, runs, position, size, frontSize)
  local tail, run, before, millis = '', '', nil, nil
  if stamp + window + 1000000 > expires then
    if behind > bytes + ROOM then return end
    millis = keepFor(stamp + window - time)
    before, tail = encode('>I7I7', created, time + 1000 * (millis - spare)), state:sub(bytes, bytes + size - 1)
  end
  if stamp == newest then
    newestWeight = newestWeight + weight
    nextWeight = next == newest and newestWeight or nextWeight
  else
    tail, run = state:sub(bytes, bytes + size - 1), encoded(newest - closed, newestWeight)
    if (position > EXPIRED or runs == RUNS or size + #run > TAIL) and behind <= bytes + ROOM then
      local kept = next == newest and '' or encoded(0, nextWeight)
      runs, tail, position = math.min(runs, size - position + 2), kept .. tail:sub(position), #kept + 1
    end
    size, runs = #tail + #run, runs + 1
    if runs > RUNS or size > TAIL then return end
    position = next == newest and size + 1 or position
    settled, closed, newest, newestWeight = settled + newestWeight, newest, stamp, weight
  end
  local changed = encode(CHANGING, time, newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size, frontSize,
    tail, run)
  return before and before .. changed or changed, millis
end

local function logStraight(limit, state, at, behind, permits, count, dry)
  local most, window, tick, flags = limit.permits, limit.window, limit.tick, limit.flags
  local stamp = flags == CLASSIC and time - time % tick or time + -time % tick
  if permits > most then return end
  if behind == at then return straightFirst(limit, stamp, permits, count, dry) end
  local created, expires, last, newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size, frontSize =
    headOf(state, at, behind)
  local bytes, horizon, all = at + 75, time - window, settled + newestWeight
  if frontSize > 255 or last > time or next > newest or newest > MOST or closed > newest or prior + nextWeight > all or all + most > MOST or
    expires > time + 3 * window + MARGIN then
    return -- also if it is damaged
  elseif newest <= horizon then
    if behind > bytes + ROOM then return end
    return straightFirst(limit, stamp, permits, count, dry)
  end
  local before = frontSize > 0 and bytes + ROOM - 1 or bytes - 1
  local final = before + (frontSize > 0 and frontSize or size)
  if next <= horizon then
    local oldest, weight, sum, after = pass(state, before + position, final, next, prior + nextWeight, horizon, NEVER)
    if not oldest and frontSize > 0 or sum + weight > all then return end
    prior, next, nextWeight, position = sum, oldest or newest, oldest and weight or newestWeight, after - before
  end
  local needed = all - most + permits -- P of what must have expired
  if needed > prior or dry then
    local expiring, remaining = needed > settled and newest or next, permits + prior - needed
    if needed <= settled and prior + nextWeight < needed then
      expiring = pass(state, before + position, final, next, prior + nextWeight, NEVER, needed)
    end
    if flags == ATTEMPTS and not dry or not expiring then return end
    return count, needed > prior and expiring + window - time or 0, remaining > 0 and remaining or 0, newest + window - time
  end
  local number = count == 1 and 1 or math.min(count, 1 + math.floor((prior - needed) / permits))
  stamp = stamp > newest and stamp or newest
  local changed, millis = straightAppend(window, state, bytes, behind, stamp, permits * number, created, newest, newestWeight, settled,
    next, nextWeight, prior, closed, expires, runs, position, size, frontSize)
  if not changed then return end
  return number, 0, prior - needed, stamp + window - time, encode('>I7I7', created, flags == ATTEMPTS and 0 or stamp), changed, millis
end
