-- The straight path: the only request of a script, on a log of which the head and the bytes of one block decide. It returns the
-- answer, or leaves the loop and has written nothing: then log.lua decides, by the same rules. It has no functions and no tables,
-- because it is most of the work that the server does.
while only and #state >= at + 74 and state:byte(at + 74) == 0 and permits <= most and flag ~= CLASSIC do
  local created, last, newest, newestWeight, settled, next, nextWeight, gone, closed, expires, runs, position, size, frontSize =
    decode(FULL_HEAD, state, at)
  at = at + 75
  local horizon = time - window
  if last > time or newest <= horizon or newest > MOST or next > newest or gone + nextWeight > settled + newestWeight then
    break -- also if it is damaged
  elseif next <= horizon then
    local before = at + (frontSize > 0 and ROOM or 0) - 1
    local stamp, weight, sum, behind = pass(state, before + position, before + (frontSize > 0 and frontSize or size), next,
      gone + nextWeight, horizon, NEVER)
    if not stamp and frontSize > 0 then break end
    gone, next, nextWeight, position = sum, stamp or newest, stamp and weight or newestWeight, behind - before
  end
  local needed = settled + newestWeight - most + permits -- P of what must have expired
  if needed > gone then
    local retry = (needed > settled and newest or next) + window - time
    if flag == ATTEMPTS or retry <= patience or needed <= settled and gone + nextWeight < needed then break end
    return encode('>BI4I7i8I7I7', 0, count, max(0, permits - needed + gone), retry, newest + window - time, time)
  end
  local stamp, tail = max(time + (-time % tick), newest), ''
  if count > 1 or stamp + window + 1000000 > expires then
    break
  elseif stamp == newest then
    newestWeight, nextWeight = newestWeight + permits, nextWeight + (next == newest and permits or 0)
  else
    if runs == RUNS or size > TAIL - 2 or newestWeight > 1 or newest - closed > 16383 then break end
    local distance = newest - closed
    tail = state:sub(at, at + size - 1)
      .. (distance < 128 and string.char(distance) or string.char(128 + floor(distance / 256), distance % 256))
    size, runs, position = #tail, runs + 1, next == newest and #tail + 1 or position
    settled, closed, newest, newestWeight = settled + newestWeight, newest, stamp, permits
  end
  call('SETRANGE', KEYS[1], #prefix + 7, encode(HEAD, time, newest, newestWeight, settled, next, nextWeight, gone, closed, expires,
    runs, position, size, frontSize, 0) .. tail)
  return encode('>BI4I7I7I7I7BI7I7', 1, 1, gone - needed, 0, newest + window - time, time, 14, created,
    flag == ATTEMPTS and 0 or stamp)
end
