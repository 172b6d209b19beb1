-- The straight path: the only request of a script, on logs of which the head and the bytes of one block decide, each of them. It
-- returns the answer, or has written nothing: then log.lua decides, by the same rules. It makes few calls and tables, because it is
-- most of the work that the server does.

-- Decides whether permits fit a log now.
--   state, at, behind  the state, the position of the time of creation in it, and the position behind the log
--   most, ..., window  the limit
-- Returns, if they fit: the bytes from the time of creation on that change, the permits that remain, the newest stamp, that of the grant,
-- and the time of creation. If they do not fit: false, the permits that remain, the newest stamp, and the stamp that must expire. If what
-- it looks at is not all that decides: nothing.
local function straight(state, at, behind, most, tick, flag, window, permits)
  if behind < at + 75 or state:byte(at + 74) > 0 or permits > most or flag == CLASSIC then return end
  local created, last, newest, newestWeight, settled, next, nextWeight, gone, closed, expires, runs, position, size, frontSize =
    decode(FULL_HEAD, state, at)
  at = at + 75
  local horizon = time - window
  if last > time or newest > MOST or next > newest or gone + nextWeight > settled + newestWeight then
    return -- also if it is damaged
  elseif newest <= horizon then
    local stamp = time + (-time % tick)
    if behind > at + ROOM or stamp + window + 1000000 > expires then return end
    return encode(FULL_HEAD, time, time, stamp, permits, 0, stamp, permits, 0, min(time, stamp), expires, 0, 1, 0, 0, 0),
      most - permits, stamp, stamp, time
  elseif next <= horizon then
    local before = at + (frontSize > 0 and ROOM or 0) - 1
    local stamp, weight, sum, after = pass(state, before + position, before + (frontSize > 0 and frontSize or size), next,
      gone + nextWeight, horizon, NEVER)
    if not stamp and frontSize > 0 then return end
    gone, next, nextWeight, position = sum, stamp or newest, stamp and weight or newestWeight, after - before
  end
  local needed = settled + newestWeight - most + permits -- P of what must have expired
  if needed > gone then
    if flag == ATTEMPTS or needed <= settled and gone + nextWeight < needed then return end
    return false, max(0, permits - needed + gone), newest, needed > settled and newest or next
  end
  local stamp, tail = max(time + (-time % tick), newest), ''
  if stamp + window + 1000000 > expires then
    return
  elseif stamp == newest then
    newestWeight, nextWeight = newestWeight + permits, nextWeight + (next == newest and permits or 0)
  else
    local distance, weight, run = newest - closed, newestWeight, nil
    if runs == RUNS or size > TAIL - 6 or weight > 255 or distance >= 2 ^ 32 then
      return
    elseif weight == 1 and distance < 16384 then
      run = distance < 128 and string.char(distance) or string.char(128 + floor(distance / 256), distance % 256)
    else
      local long = distance < 256 and 1 or distance < 65536 and 2 or distance < 16777216 and 3 or 4
      run = encode('>BI' .. long .. 'B', 185 + 7 * long, distance, weight)
    end
    tail = state:sub(at, at + size - 1) .. run
    size, runs, position = #tail, runs + 1, next == newest and #tail + 1 or position
    settled, closed, newest, newestWeight = settled + newestWeight, newest, stamp, permits
  end
  return encode(FULL_HEAD, created, time, newest, newestWeight, settled, next, nextWeight, gone, closed, expires, runs, position, size,
    frontSize, 0) .. tail, gone - needed, newest, stamp, created
end

-- The only request for one limit.
if only then
  local changed, remaining, newest, stamp, created = straight(state, at, #state + 1, most, tick, flag, window, permits)
  if changed == false and stamp + window - time > patience then
    return encode('>BI4I7i8I7I7', 0, count, remaining, stamp + window - time, newest + window - time, time)
  elseif changed and count == 1 then
    call('SETRANGE', KEYS[1], at - 1, changed)
    return encode('>BI4I7I7I7I7BI7I7', 1, 1, remaining, 0, newest + window - time, time, 14, created, flag == ATTEMPTS and 0 or stamp)
  end
end
