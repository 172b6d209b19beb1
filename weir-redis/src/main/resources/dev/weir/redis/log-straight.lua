-- The straight path of a log, see straight.lua: the head of the state and the bytes of one block decide, by the rules of log.lua. It
-- makes few calls and no tables, and captures few variables, because it is most of the work that the server does.

-- Decides on a log in which nothing counts, see straight.lua.
--   stamp   at which permits are granted
--   extent  see log-head.lua
local function straightFirst(limit, stamp, permits, count, dry, extent)
  local most = limit.permits
  if extent > 0 then return end
  if dry then return count, 0, most, 0 end
  local number = (most - most % permits) / permits
  if number > count then number = count end
  local reset, weight, ahead = stamp + limit.window - time, permits * number, stamp - time
  if ahead >= 2 ^ 31 or ahead <= -2 ^ 31 or weight >= 2 ^ 32 then return end
  return number, 0, most - permits, reset, encode('>I7I7', time, stamp), encode(ENTRY, time, ahead, weight), nil,
    (keepFor(reset))
end

-- Denies permits, see straight.lua.
--   position, last      where the runs behind the run `next` start, and where they end
--   next, sum           the stamp of that run, and P there
--   needed              P of what must have expired
--   remaining           the permits that remain, less than 0 if more than the limit count
local function straightDenial(limit, state, position, last, next, sum, newest, settled, needed, count, remaining, horizon, dry)
  if limit.flags == ATTEMPTS and not dry then return end
  local expiring = next
  if needed > settled then
    expiring = newest
  elseif needed > sum then
    expiring = pass(state, position, last, next, sum, NEVER, needed)
  end
  if remaining < 0 then remaining = 0 end
  return expiring and count, (expiring or 0) - horizon, remaining, newest - horizon
end

-- Grants permits of which a number remain after the first request: at a stamp, or at that of the newest run if it is later. Drops what is
-- before the cursor, which has expired, if that is long. Returns nothing if a block must be written.
local function straightGrant(window, state, at, behind, stamp, permits, count, remaining, created, expires, newest, newestWeight, settled,
  next, nextWeight, prior, closed, runs, position, size, frontSize, extent)
  local number, tail, run, kept, millis = 1 + (remaining - remaining % permits) / permits, '', '', behind - 1 - HEAD_SIZE, nil
  if number > count then number = count end
  if stamp <= newest then
    stamp, newestWeight = newest, newestWeight + permits * number
    if next == newest then nextWeight = newestWeight end
  else
    run, runs = encoded(newest - closed, newestWeight), runs + 1
    size = size + #run
    if next == newest then position = size + 1 end
    if (position > EXPIRED or size > TAIL) and extent == 0 then
      runs, tail, run = math.min(runs, size - position + 2), encoded(0, nextWeight), (state:sub(at + 14, kept) .. run):sub(position)
      size, position, kept = #tail + #run, #tail + 1, at + 13
    end
    if runs > RUNS or size > TAIL then return end
    settled, closed, newest, newestWeight = settled + newestWeight, newest, stamp, permits * number
  end
  local changed = encode(CHANGING, tail, run, newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size,
    frontSize, extent, time)
  if tail ~= '' or stamp + window + 1000000 > expires or expires > time + 3 * window + MARGIN then
    if extent > 0 then return end
    millis, expires = keepFor(stamp + window - time)
    changed = encode('>I7I7', created, expires) .. state:sub(at + 14, kept) .. changed
  end
  return number, 0, remaining, stamp + window - time, encode('>I7I7', created, stamp), changed, kept, millis
end

local function logStraight(limit, state, at, behind, permits, count, dry)
  local most, window, tick = limit.permits, limit.window, limit.tick
  if limit.flags ~= CLASSIC then tick = -tick end -- rounds up
  local stamp, horizon = time - time % tick, time - window
  if behind <= at then return straightFirst(limit, stamp, permits, count, dry, 0) end
  local created, expires, newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size, frontSize, extent, last =
    headOf(state, at, behind)
  local all = settled + newestWeight
  if last > time or extent > 1 or all + most > MOST then
    return
  elseif newest <= horizon then
    return straightFirst(limit, stamp, permits, count, dry, extent)
  end
  local final = behind - 1 - HEAD_SIZE
  local before = final - size -- the bytes before those with the cursor, which end at `final`
  if frontSize > 0 then before, final = at + 13, at + 13 + frontSize end
  if next <= horizon then
    local oldest, weight, sum, after = pass(state, before + position, final, next, prior + nextWeight, horizon, NEVER)
    if not oldest then
      if frontSize > 0 then return end
      oldest, weight = newest, newestWeight
    end
    prior, next, nextWeight, position = sum, oldest, weight, after - before
  end
  if prior + nextWeight > all then return end -- damaged
  local remaining = most - all + prior - permits
  if remaining < 0 then
    return straightDenial(limit, state, before + position, final, next, prior + nextWeight, newest, settled, prior - remaining, count,
      remaining + permits, horizon, dry)
  elseif dry then
    return count, 0, remaining + permits, newest - horizon
  end
  return straightGrant(window, state, at, behind, stamp, permits, count, remaining, created, expires, newest, newestWeight, settled,
    next, nextWeight, prior, closed, runs, position, size, frontSize, extent)
end
