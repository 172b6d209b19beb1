-- Decides on a group whose only key has one plain log: a sliding log, or a conservative sliding window, that counts what it
-- admits, with nothing of other limits, blocks or clock steps in its state, nothing pending, and no block of runs to touch.
-- It decides as the algorithm itself would, and answers alike; where that is not sure, it has written nothing and answers
-- nothing. It reads and writes the ends of the log, whatever its length. The state is described in plain-state.lua.
local function plain(time, name, window, most, tick, identity, groups, at, requests)
  local call, unpack = redis.call, struct.unpack
  local ring = 47 + #identity + 180
  local state = call('GETRANGE', name, 0, ring - 1)
  local created, newest, total, hot, front, start, cold, headed, from, to, slot = time, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0
  local first = 1
  if state ~= '' then
    local shape, last
    shape, last, created = unpack('>BI7I7', state)
    if shape > 2 or last > time then
      return nil
    elseif shape == 2 then
      newest, total = unpack('>i4I4', state, 9)
      if state:sub(17) ~= identity or total >= 2 ^ 24 then
        return nil
      end
      created, newest, hot = last, last + newest, 1
      state = struct.pack('>I7I3', newest, total)
    elseif state:sub(48, 47 + #identity) ~= identity then
      return nil
    else
      newest, total, hot, front, start, cold, headed, from, to, slot = unpack('>I7I7BBBBBI6I6B', state, 16)
      first = 48 + #identity
      state = state:sub(1, first + 10 * hot - 1)
    end
  end

  -- What leaves the window. Between the front and the back of the log may lie others; then front is not all there is.
  local whole = cold == 0 and from == to
  if whole then
    front = hot
  end
  local refilled = false
  while front > 0 do
    local stamp, weight = unpack('>I7I3', state, first)
    if time - stamp < window then
      break
    end
    total, hot, front, first = total - weight, hot - 1, front - 1, first + 10
    if front == 0 and not whole then
      if refilled or cold == 0 or (headed == 0 and from < to) then
        return nil
      end
      local chunk = call('GETRANGE', name, ring + 60 * start, ring + 60 * start + 59)
      state, first, refilled = chunk .. state:sub(first), 1, true
      hot, front, start, cold, headed = hot + 6, 6, (start + 1) % 32, cold - 1, math.max(headed - 1, 0)
      whole = cold == 0 and from == to
      if whole then
        front = hot
      end
    end
  end
  local stamp = time + (-time % tick)
  if newest > stamp then
    return nil
  end

  local answers, booked = '', 0
  for _ = 1, requests do
    local count, patience, permits
    count, patience, permits, at = unpack('>I4I7I7', groups, at)
    local room = most - total
    if permits <= room then
      local fitting = count == 1 and 1 or math.min(count, math.floor(room / permits))
      booked, total, count = booked + fitting * permits, total + fitting * permits, count - fitting
      answers = answers .. struct.pack('>I4BI2I2i8i8i8i8i8i8I2I8I7', fitting, 1, 1, 1, room - permits, permits, 0, 0,
        stamp + window - time, time, 15, created, stamp)
    end
    if count > 0 then
      local retry = -1
      if permits <= most then
        local excess, i = total + permits - most, 0
        while excess > 0 and i < front do
          local leaving, weight = unpack('>I7I3', state, first + 10 * i)
          retry, excess, i = leaving + window - time, excess - weight, i + 1
        end
        if excess > 0 and whole then
          retry = stamp + window - time
        elseif excess > 0 then
          return nil
        end
        if retry <= patience then
          return nil
        end
      end
      local last = booked > 0 and stamp or newest
      answers = answers .. struct.pack('>I4BI2I2i8i8i8i8i8i8I2', count, 0, 1, 1, math.max(0, most - total), 0, 0, retry,
        hot == 0 and booked == 0 and 0 or last + window - time, time, 0)
    end
  end
  if booked == 0 then
    return answers
  end

  -- What was booked becomes the newest run, or a part of it.
  local runs = state:sub(first)
  if newest == stamp and hot > 0 then
    local _, weight = unpack('>I7I3', runs, #runs - 9)
    booked, runs = booked + weight, runs:sub(1, -11)
  else
    hot = hot + 1
  end
  if booked >= 2 ^ 24 then
    return nil
  end
  runs = runs .. struct.pack('>I7I3', stamp, booked)
  local millis = math.ceil((stamp + window - time) / 1000) + 1000
  if hot == 1 and whole and created == time and stamp - time < 2 ^ 31 then
    call('SET', name, struct.pack('>BI7i4I4', 2, time, stamp - time, total) .. identity, 'PX', millis)
    return answers
  end
  if whole then
    front = hot < 18 and 0 or 6
  end
  if front > 0 and hot - front == 12 then
    if cold == 32 then
      return nil
    end
    call('SETRANGE', name, ring + 60 * ((start + cold) % 32), runs:sub(10 * front + 1, 10 * front + 60))
    runs = runs:sub(1, 10 * front) .. runs:sub(10 * front + 61)
    hot, cold = hot - 6, cold + 1
  end
  state = struct.pack('>BI7I7I7I7BBBBBI6I6B', 1, time, created, stamp, total, hot, front, start, cold, headed, from, to, slot)
    .. identity .. runs
  if cold == 0 then
    call('SET', name, state, 'PX', millis)
  else
    call('SETRANGE', name, 0, state)
    call('PEXPIRE', name, millis)
  end
  return answers
end
