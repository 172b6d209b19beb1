-- Decides on a group whose only key has one plain log: a sliding log, or a conservative sliding window, that counts what it
-- admits, with nothing of other limits, blocks or clock steps in its state, nothing pending, and no block of runs to touch.
-- It decides as the algorithm itself would, and answers alike; where that is not sure, it has written nothing and answers
-- nothing. State: see plainState in state.lua.
local function plain(time, name, window, most, tick, identity, request, at, requests)
  local state = redis.call('GET', name)
  local created, edge, total, head, from, to, slot, first = time, time, 0, 0, 0, 0, 0, 1
  if state then
    local shape, last = struct.unpack('>BI7', state)
    if last > time or shape > 2 then
      return nil
    elseif shape == 2 then
      if string.sub(state, 17) ~= identity then
        return nil
      end
      edge, total = struct.unpack('>i4I4', state, 9)
      created, edge = last, last + edge
      state = struct.pack('>I7I7', edge, total)
    else
      if string.sub(state, 45, 44 + #identity) ~= identity then
        return nil
      end
      created, edge, total, head, from, to, slot = struct.unpack('>I7I7I7I2I6I6B', state, 9)
      first = 45 + #identity
    end
  else
    state = ''
  end

  -- What leaves the window.
  local ending = #state
  local front = from == to and ending or first + 14 * head - 1
  while first < front do
    local at, weight = struct.unpack('>I7I7', state, first)
    if time - at < window then
      break
    end
    total, first, head = total - weight, first + 14, head - 1
  end
  if first > front and from < to then
    return nil
  end
  local stamp, newest, weight = time + (-time % tick), -1, 0
  if first > ending then
    edge, total = time, 0
  else
    newest, weight = struct.unpack('>I7I7', state, ending - 13)
    if newest > stamp then
      return nil
    end
  end

  local answers, booked = '', 0
  for _ = 1, requests do
    local count, patience, permits
    count, patience, permits, at = struct.unpack('>I4I7I7', request, at)
    local room = most - total
    local fitting = room < permits and 0 or math.min(count, math.floor(room / permits))
    if fitting > 0 then
      booked, total, edge = booked + fitting * permits, total + fitting * permits, math.max(edge, stamp)
      answers = answers .. struct.pack('>I4BI2I2i8i8i8i8i8i8I2I8I7', fitting, 1, 1, 1, room - permits, permits, 0, 0,
        stamp + window - time, time, 15, created, stamp)
    end
    if fitting < count then
      local retry, excess, i = -1, total + permits - most, first
      if permits <= most then
        while excess > 0 and i < front do
          local at, weight = struct.unpack('>I7I7', state, i)
          retry, excess, i = at + window - time, excess - weight, i + 14
        end
        if excess > 0 and from < to then
          return nil
        elseif excess > 0 then
          retry = stamp + window - time
        end
        if retry <= patience then
          return nil
        end
      end
      local last = booked > 0 and stamp or newest
      answers = answers .. struct.pack('>I4BI2I2i8i8i8i8i8i8I2', count - fitting, 0, 1, 1, math.max(0, most - total), 0, 0,
        retry, last < 0 and 0 or last + window - time, time, 0)
    end
  end

  if booked > 0 then
    local runs
    if newest == stamp then
      runs = string.sub(state, first, ending - 14) .. struct.pack('>I7I7', stamp, weight + booked)
    else
      runs = string.sub(state, first) .. struct.pack('>I7I7', stamp, booked)
    end
    head = math.max(head, 0)
    if #runs - 14 * head >= 1792 then
      return nil
    end
    if #runs == 14 and created == time and from == to and edge == stamp and total < 2 ^ 32 and stamp - time < 2 ^ 31 then
      state = struct.pack('>BI7i4I4', 2, time, stamp - time, total) .. identity
    else
      state = struct.pack('>BI7I7I7I7I2I6I6B', 1, time, created, edge, total, head, from, to, slot) .. identity .. runs
    end
    redis.call('SET', name, state, 'PX', math.ceil((stamp + window - time) / 1000) + 1000)
  end
  return answers
end
