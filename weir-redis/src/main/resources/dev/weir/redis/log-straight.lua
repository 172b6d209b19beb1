-- The straight path of a log, see straight.lua: the head of the state and the bytes of one block decide, by the rules of log.lua. It
-- makes few calls and no tables, and captures few variables, because it is most of the work that the server does.

-- Decides on a log in which nothing counts, see straight.lua.
--   stamp   at which permits are granted
--   extent  see log-head.lua
local function straightFirst(limit, stamp, permits, count, peek, extent)
  local most = limit.permits
  if extent > 0 then return end
  if peek then return 1, 0, most, 0, '' end
  local number = (most - most % permits) / permits
  if number > count then number = count end
  local reset, weight, ahead = stamp + limit.window - time, permits * number, stamp - time
  if ahead >= 2 ^ 31 or ahead <= -2 ^ 31 or weight >= 2 ^ 32 then return end
  return number, 0, most - permits, reset, encode('>I7I7', time, stamp), encode(ENTRY, time, ahead, weight), nil,
    (keepFor(reset))
end

-- Returns the cursor, the run `next`, after it has moved to the first run with a stamp after `latest` or with P >= `enough`, at most to the
-- newest one: its stamp and weight, P before it, and the position behind it. Returns nothing if that is in another block.
local function cursor(state, before, final, next, nextWeight, prior, position, newest, newestWeight, frontSize, latest, enough)
  if next > latest or prior + nextWeight >= enough then return next, nextWeight, prior, position end
  local oldest, weight, sum, after = pass(state, before + position, final, next, prior + nextWeight, latest, enough)
  if not oldest and frontSize > 0 then return end
  return oldest or newest, oldest and weight or newestWeight, sum, after - before
end

-- The three functions below decide on a log in which something counts. Arguments as for `straight`, what headOf returns, and
--   stamp               at which permits are granted
--   remaining           the permits that remain after the first request, less than 0 if it is denied
--   before, final       the place before the bytes with the cursor, and where they end

-- Denies permits.
local function straightDenial(limit, state, _, _, _, permits, count, remaining, _, _, newest, _, settled, next, nextWeight, prior, _, _,
  position, _, _, _, before, final)
  local needed, horizon, expiring = prior - remaining, time - limit.window, next -- P of what must have expired
  if needed > settled then
    expiring = newest
  elseif needed > prior + nextWeight then
    expiring = pass(state, before + position, final, next, prior + nextWeight, NEVER, needed)
  end
  return expiring and count, (expiring or 0) - horizon, math.max(0, remaining + permits), newest - horizon
end

-- Grants permits at a stamp, or at that of the newest run if it is later. Drops what is before the cursor, which has expired, if that is
-- long. Returns nothing if a block must be written.
local function straightGrant(limit, state, at, behind, stamp, permits, count, remaining, created, expires, newest, newestWeight, settled,
  next, nextWeight, prior, closed, runs, position, size, frontSize, extent)
  local number, tail, run, kept, window, millis = 1 + (remaining - remaining % permits) / permits, '', '', behind - 1 - HEAD_SIZE,
    limit.window, nil
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

-- Records the first of a number of denied attempts, and moves the cursor to the oldest of those that can decide. Returns nothing if they
-- are in another block, or include the new one.
local function straightAttempt(limit, state, at, behind, stamp, permits, _, _, created, expires, newest, newestWeight, settled, next,
  nextWeight, prior, closed, runs, position, size, frontSize, extent, before, final)
  local needed, expiring = settled + newestWeight - limit.permits + permits + 1, nil -- P of the oldest without which the others deny less
  if needed > settled + newestWeight then return end
  next, nextWeight, prior, position = cursor(state, before, final, next, nextWeight, prior, position, newest, newestWeight, frontSize, NEVER,
    needed)
  if not next then return end
  expiring = cursor(state, before, final, next, nextWeight, prior, position, newest, newestWeight, 1, NEVER, needed + permits - 1)
  if not expiring then return end
  local number, _, _, reset, handle, changed, kept, millis = straightGrant(limit, state, at, behind, stamp, permits, 1, 0, created, expires,
    newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size, frontSize, extent)
  return number, expiring + limit.window - time, 0, reset, handle, changed, kept, millis
end

local function logStraight(limit, state, at, behind, permits, count, peek)
  local most, window, tick = limit.permits, limit.window, limit.tick
  if limit.flags ~= CLASSIC then tick = -tick end -- rounds up
  local stamp, horizon = time - time % tick, time - window
  if behind <= at then return straightFirst(limit, stamp, permits, count, peek, 0) end
  local created, expires, newest, newestWeight, settled, next, nextWeight, prior, closed, runs, position, size, frontSize, extent, last =
    headOf(state, at, behind)
  local all = settled + newestWeight
  if last > time or extent > 1 or all + most > MOST then
    return
  elseif newest <= horizon then
    return straightFirst(limit, stamp, permits, count, peek, extent)
  end
  local final = behind - 1 - HEAD_SIZE
  local before = final - size -- the bytes before those with the cursor, which end at `final`
  if frontSize > 0 then before, final = at + 13, at + 13 + frontSize end
  next, nextWeight, prior, position = cursor(state, before, final, next, nextWeight, prior, position, newest, newestWeight, frontSize,
    horizon, NEVER)
  if not next or prior + nextWeight > all then return end -- or damaged
  local remaining, decide = most - all + prior - permits, straightDenial
  if remaining >= 0 then
    if peek then return 1, 0, remaining + permits, newest - horizon, '' end
    decide = straightGrant
  elseif limit.flags == ATTEMPTS and not peek then
    decide = straightAttempt
  end
  return decide(limit, state, at, behind, stamp, permits, count, remaining, created, expires, newest, newestWeight, settled, next,
    nextWeight, prior, closed, runs, position, size, frontSize, extent, before, final)
end
