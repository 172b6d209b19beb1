-- The straight path of a log, see straight.lua: the head of the state and the bytes of one block decide, by the rules of log.lua. It
-- makes few calls and no tables, because it is most of the work that the server does.

-- Grants permits on a log that has nothing which counts. Returns what the straight path does.
local function grantFirst(most, window, stamp, permits, number, handleStamp)
  local ahead, millis = stamp - time, keepFor(stamp + window - time, window)
  local weight, changed = permits * number, nil
  if ahead < 2 ^ 31 and ahead > -2 ^ 31 and weight < 2 ^ 32 then
    changed = encode('>I7i4I4', time, ahead, weight)
  else
    changed = encode(FULL_HEAD, time, time, stamp, weight, 0, stamp, weight, 0, min(time, stamp), time + 1000 * (millis - spare), 0, 1, 0,
      0, 0)
  end
  return number, 0, most - permits, stamp + window - time, encode('>I7I7', time, handleStamp or stamp), changed, millis
end

-- Returns the head of a state with the time of creation, see log-head.lua.
local function headOf(state, at, behind)
  if behind >= at + 75 then return decode(FULL_HEAD, state, at) end
  if behind == at then return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 end
  if behind ~= at + 15 then damaged() end
  local created, ahead, weight = decode('>I7i4I4', state, at)
  local stamp = created + ahead
  return created, created, stamp, weight, 0, stamp, weight, 0, min(created, stamp), 0, 0, 1, 0, 0, 0
end

local function logStraight(limit, state, at, behind, permits, count, dry)
  local most, window, tick, flag = limit.permits, limit.window, limit.tick, limit.flags
  local bytes, created, last, newest, newestWeight, settled, next, nextWeight, gone, closed, expires, runs, position, size, frontSize,
    unusual = at + 75, headOf(state, at, behind)
  if unusual > 0 or last > time or next > newest or newest > MOST or closed > newest or gone + nextWeight > settled + newestWeight
    or settled + newestWeight + most > MOST or permits > most then
    return -- also if it is damaged
  end
  local horizon, before = time - window, bytes + (frontSize > 0 and ROOM or 0) - 1
  local final = before + (frontSize > 0 and frontSize or size)
  if newest <= horizon or newestWeight == 0 then
    if behind > bytes + ROOM then return end
    newest, newestWeight, settled, gone = horizon, 0, 0, 0
  elseif next <= horizon then
    local stamp, weight, sum, after = pass(state, before + position, final, next, gone + nextWeight, horizon, NEVER)
    if not stamp and frontSize > 0 then return end
    gone, next, nextWeight, position = sum, stamp or newest, stamp and weight or newestWeight, after - before
  end
  local needed = settled + newestWeight - most + permits -- P of what must have expired
  if needed > gone or dry then
    local stamp = needed > settled and newest or next
    if needed <= settled and gone + nextWeight < needed then
      stamp = pass(state, before + position, final, next, gone + nextWeight, NEVER, needed)
    end
    if flag == ATTEMPTS and not dry or not stamp then return end
    return count, needed > gone and stamp + window - time or 0, max(0, permits - needed + gone), newest + window - time
  end
  local number = min(count, 1 + floor((gone - needed) / permits))
  local weight, stamp = permits * number, flag == CLASSIC and time - time % tick or time + (-time % tick)
  local tail, millis = '', nil
  if newestWeight == 0 then return grantFirst(most, window, stamp, permits, number, flag == ATTEMPTS and 0) end
  stamp = max(stamp, newest)
  if stamp + window + 1000000 > expires then
    if behind > bytes + ROOM then return end
    millis = keepFor(stamp + window - time, window)
    expires, tail = time + 1000 * (millis - spare), state:sub(bytes, bytes + size - 1)
  end
  if stamp == newest then
    newestWeight, nextWeight = newestWeight + weight, nextWeight + (next == newest and weight or 0)
  else
    tail = state:sub(bytes, bytes + size - 1) .. encoded(newest - closed, newestWeight)
    if (runs == RUNS or #tail > TAIL) and frontSize == 0 and behind <= bytes + ROOM then -- what is before the cursor counts no more
      local kept = next == newest and '' or encoded(0, nextWeight)
      runs, tail, position = min(runs, size - position + 2), kept .. tail:sub(position), #kept + 1
    end
    if runs == RUNS or #tail > TAIL then return end
    size, runs, position = #tail, runs + 1, next == newest and #tail + 1 or position
    settled, closed, newest, newestWeight = settled + newestWeight, newest, stamp, weight
  end
  return number, 0, gone - needed, newest + window - time, encode('>I7I7', created, flag == ATTEMPTS and 0 or stamp),
    encode(FULL_HEAD, created, time, newest, newestWeight, settled, next, nextWeight, gone, closed, expires, runs, position, size,
      frontSize, 0) .. tail, millis
end
straights[1], straights[2] = logStraight, logStraight
