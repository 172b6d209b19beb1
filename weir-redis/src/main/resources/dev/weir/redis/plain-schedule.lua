-- Decides on a group whose only key has one limit of schedule.lua's kind, as plain.lua does for a log: at once or not at all;
-- where that is not sure, it has written nothing and answers nothing. The state is described in plain-state.lua.
local function plainSchedule(time, name, kind, window, rate, burst, identity, groups, at, requests, count, patience, permits)
  local state = redis.call('GET', name)
  local created, arrival, fraction, changes = time, time, 0, 0
  if state then
    if #state < 17 then
      return nil
    end
    local shape, last = struct.unpack('>BI7', state)
    if last > time or shape < 4 or shape > 5 then
      return nil
    elseif shape == 4 then
      local ahead, before = struct.unpack('>I4I5', state, 9)
      if before ~= rate or burst ~= (kind == 6 and 1 or rate) or state:sub(18) ~= identity then
        return nil
      end
      created, arrival = last, last + ahead
    else
      local before, burstBefore
      created, arrival, fraction, changes, before, burstBefore = struct.unpack('>I7I7I7I3I7I7', state, 9)
      if before ~= rate or burstBefore ~= burst or state:sub(47) ~= identity then
        return nil
      end
    end
  end

  if arrival < time then
    arrival, fraction = time, 0
  end
  local whole, rest = math.floor(window / rate), window % rate
  -- Whether so many permits cost as much as is owed, or more.
  local function covers(so)
    local part = so * rest
    local cost = so * whole + math.floor(part / rate)
    return cost > arrival - time or (cost == arrival - time and part % rate >= fraction)
  end
  local function remaining()
    if not covers(burst) then
      return 0
    end
    local owed = math.min(burst, math.floor((arrival - time) * (rate / window)))
    while owed > 0 and covers(owed - 1) do
      owed = owed - 1
    end
    while not covers(owed) do
      owed = owed + 1
    end
    return burst - owed
  end
  local answers, booked = {}, false
  while true do
    local wait = -1
    if permits <= burst then
      local part = kind == 5 and 0 or (burst - permits) * rest
      local most = kind == 5 and 0 or (burst - permits) * whole + math.floor(part / rate)
      wait = math.max(0, arrival - time - most + (fraction > part % rate and 1 or 0))
    end
    if wait > 0 and wait <= patience then
      return nil
    elseif wait == 0 then
      local before, beforePart = arrival, fraction
      local part = permits * rest
      arrival, fraction = arrival + permits * whole + math.floor(part / rate), fraction + part % rate
      if fraction >= rate then
        arrival, fraction = arrival + 1, fraction - rate
      end
      answers[#answers + 1] = struct.pack('>BI4I7I7I7I8I7I7I7I7I7I7I7', 3, 1, remaining(),
        arrival - time + (fraction > 0 and 1 or 0), time, created, changes, arrival, fraction, before, beforePart, time, permits)
      booked, count = true, count - 1
    else
      answers[#answers + 1] = struct.pack('>BI4I7I7I7i8', 0, count, remaining(), arrival - time + (fraction > 0 and 1 or 0),
        time, wait)
      count = 0
    end
    if count == 0 then
      requests = requests - 1
      if requests == 0 then
        break
      end
      count, patience, permits, at = struct.unpack('>I4I7I7', groups, at)
    end
  end

  if booked then
    if created == time and fraction == 0 and changes == 0 and burst == (kind == 6 and 1 or rate) and arrival - time < 2 ^ 32
      and rate < 2 ^ 40 then
      state = struct.pack('>BI7I4I5', 4, time, arrival - time, rate) .. identity
    elseif changes < 2 ^ 24 then
      state = struct.pack('>BI7I7I7I7I3I7I7c0', 5, time, created, arrival, fraction, changes, rate, burst, identity)
    else
      return nil
    end
    redis.call('SET', name, state, 'PX', math.ceil((arrival + (fraction > 0 and 1 or 0) - time) / 1000) + 1000 + spare)
  end
  return #answers == 1 and answers[1] or table.concat(answers)
end
