-- Decides on a group whose only key has one plain log: a sliding log, or a conservative sliding window, that counts what it
-- admits, with nothing of other limits, blocks or clock steps in its state, nothing pending, and no block of runs to touch.
-- It decides as the algorithm itself would, and answers alike; where that is not sure, it has written nothing and answers
-- nothing. It reads and writes the ends of the log, whatever its length. The state is described in plain-state.lua.
local function plain(time, name, window, most, tick, identity, groups, at, requests, count, patience, permits)
  local call, unpack = redis.call, struct.unpack
  local backAt = 43 + #identity
  local state = call('GETRANGE', name, '0', #identity == 10 and '171' or backAt + 118) -- texts: writing numbers takes time
  local shape, created, newest, total, expires, back, oldest, from = 1, time, -1, 0, 0, 0, state, backAt + 60
  local front, start, cold, headed = 0, 0, 0, 0
  local single, refilled = false, false
  if state ~= '' then
    local last
    if #state < 16 then
      return nil
    end
    shape, created, last = unpack('>BI7I7', state)
    if shape > 3 then
      return nil
    elseif shape == 2 then
      local ahead
      ahead, total = unpack('>i4I4', state, 9)
      if state:sub(17) ~= identity or total >= 2 ^ 24 then
        return nil
      end
      last, newest, back, shape, single = created, created + ahead, 1, 1, true
      expires = newest + window + 2000000 + window / 8
      state = state:sub(1, 16) .. string.rep('\0', backAt - 17) .. struct.pack('>I7I3', newest, total)
    elseif state:sub(43, backAt - 1) ~= identity then
      return nil
    else
      local skipped
      newest, total, expires, back, skipped, front, start, cold, headed = unpack('>I7I7I7BBBBBB', state, 16)
      from = from + 10 * skipped
    end
    if last > time then
      return nil
    end
  end

  -- What leaves the window: the front, and the back when there is nothing between them.
  while front > 0 do
    local stamp, weight = unpack('>I7I3', oldest, from)
    if time - stamp < window then
      break
    end
    total, from, front = total - weight, from + 10, front - 1
    if front == 0 and (cold > 0 or shape == 3) then
      if refilled or cold == 0 or (headed == 0 and shape == 3) then
        return nil
      end
      local chunk = backAt + 132 + 60 * start
      oldest, from, front, refilled = call('GETRANGE', name, chunk, chunk + 59), 1, 6, true
      start, cold, headed = (start + 1) % 32, cold - 1, math.max(headed - 1, 0)
    end
  end
  local gone = 0
  while front == 0 and gone < back do
    local stamp, weight = unpack('>I7I3', state, backAt + 10 * gone)
    if time - stamp < window then
      break
    end
    total, gone = total - weight, gone + 1
  end
  local stamp = time + (-time % tick)
  if newest > stamp then
    return nil
  end

  local answers, booked = '', 0
  while true do
    local room = most - total
    if permits <= room then
      local fitting = count == 1 and 1 or math.min(count, math.floor(room / permits))
      booked, total, count = booked + fitting * permits, total + fitting * permits, count - fitting
      local answer = struct.pack('>BI4I7I7I7I8I7', 1, fitting, room - permits, stamp + window - time, time, created, stamp)
      answers = answers == '' and answer or answers .. answer
    end
    if count > 0 then
      local retry = -1
      if permits <= most then
        local excess, i, whole = total + permits - most, 0, cold == 0 and shape ~= 3
        while excess > 0 and i < front do
          local leaving, weight = unpack('>I7I3', oldest, from + 10 * i)
          retry, excess, i = leaving + window - time, excess - weight, i + 1
        end
        i = gone
        while excess > 0 and whole and i < back do
          local leaving, weight = unpack('>I7I3', state, backAt + 10 * i)
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
      local last = booked > 0 and stamp or back > gone and newest or time - window
      local answer = struct.pack('>BI4I7I7I7i8', 0, count, math.max(0, most - total), last + window - time, time, retry)
      answers = answers == '' and answer or answers .. answer
    end
    requests = requests - 1
    if requests == 0 then
      break
    end
    count, patience, permits, at = unpack('>I4I7I7', groups, at)
  end
  if booked == 0 then
    return answers
  end

  -- What was booked becomes the newest run, or a part of it. A full back becomes the front, or is put behind the others.
  local kept = back - gone
  if newest == stamp and kept > 0 then
    local _, weight = unpack('>I7I3', state, backAt + 10 * back - 10)
    booked, kept = booked + weight, kept - 1
  end
  if booked >= 2 ^ 24 or (kept == 6 and cold == 32) then
    return nil
  end
  local runs = state:sub(backAt + 10 * gone, backAt + 10 * (gone + kept) - 1)
  if kept == 6 and front == 0 then
    oldest, from, front, refilled, runs, kept = runs, 1, 6, true, '', 0
  elseif kept == 6 then
    call('SETRANGE', name, backAt + 132 + 60 * ((start + cold) % 32), runs)
    cold, runs, kept = cold + 1, '', 0
  end
  local needed = stamp + window - time
  -- So long that it need not be renewed each time.
  local millis = math.ceil(needed / 1000) + 2000 + math.ceil(window / 8000) + spare
  if kept == 0 and front == 0 and created == time and stamp - time < 2 ^ 31 then
    call('SET', name, struct.pack('>BI7i4I4c0', 2, time, stamp - time, total, identity), 'PX', millis)
    return answers
  end
  local renew = expires < time + needed + 1000000
  if renew then
    expires = time + 1000 * (millis - spare)
  end
  local skipped = refilled and (from - 1) / 10 or front > 0 and (from - backAt - 60) / 10 or 0
  local written = struct.pack('>I7I7I7I7BBBBBBc0c0I7I3', time, stamp, total, expires, kept + 1, skipped, front, start, cold,
    headed, identity, runs, stamp, booked)
  if refilled then
    written = written .. string.rep('\0', 50 - 10 * kept) .. oldest
  end
  if state == '' or (front == 0 and #state >= backAt + 60) then
    call('SET', name, struct.pack('>BI7c0', 1, created, written), 'PX', millis)
    return answers
  elseif single then
    call('SETRANGE', name, '0', struct.pack('>BI7c0', 1, created, written))
  else
    call('SETRANGE', name, '8', written)
  end
  if renew then
    call('PEXPIRE', name, millis)
  end
  return answers
end
