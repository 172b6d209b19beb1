-- The straight path for several limits or keys: if each limit is a log that the function of log-straight.lua can decide, and admits the
-- request. Decides the first request of a group, whose keys begin with the claim-th and whose requests are packed from a place on. Returns
-- the answer, see joint.lua, or has written nothing.
function together(claim, claims, at)
  local writes, handles, statuses, reset = {}, {}, {}, 0
  local tightest, limit, least = 1, 1, NEVER

  -- Decides the n-th limit of the i-th key, packed at a place, on the log from one position of a state to before another. Returns the place
  -- behind the limit, the bytes of the log that change and where they begin, and when the log expires.
  local function admit(i, n, packed, place, log, from, to)
    local most, tick, flag, _, _, window, length = decode('>I7I7BBBI7B', packed, place)
    local head, permits = from + 10 + length, decode('>I7', groups, at + 4 + 7 * i)
    if log:sub(from, head - 1) ~= packed:sub(place + 15, place + 24 + length) then return end
    local changed, remaining, newest, stamp, created = straight(log, head, to, most, tick, flag, window, permits)
    if not changed then return end
    if remaining < least then
      tightest, limit, least, reset = i, n, remaining, newest + window - time
    end
    handles[#handles + 1] = encode('>I7I7', created, flag == ATTEMPTS and 0 or stamp)
    statuses[#statuses + 1] = encode('>i8i8i8', remaining, 0, newest + window - time)
    return place + 32 + length, changed, head, newest + window
  end

  -- Decides the limits of a key that has several, see key.lua. Returns its state, or nothing.
  local function admitSections(i, packed, log)
    local last, blocked, sigma, _, from = decode('>I7I7i8B', log, 3)
    if log:byte() ~= 2 or log:byte(2) > 0 or last > time or blocked > time or sigma ~= 0 then return end
    local place, n, parts = 1, 0, { encode('>BBI7I7i8B', 2, 0, time, 0, 0, 0) }
    while place <= #packed do
      if from > #log then return end
      local _, _, size, start = decode('>I7BI2', log, from)
      local behind, changed, head, expiry = admit(i, n + 1, packed, place, log, start, start + size)
      if not behind then return end
      changed = log:sub(start, head - 1) .. changed .. log:sub(head + #changed, start + size - 1)
      parts[2 * n + 2], parts[2 * n + 3] = encode('>I7BI2', expiry, 0, #changed), changed
      place, from, n = behind, start + size, n + 1
    end
    return from > #log and table.concat(parts) -- else it has limits that this request does not have
  end

  for i = 1, claims do
    local name, packed = KEYS[2 * (claim + i) - 3], ARGV[claim + i]
    local log = call('GET', name)
    if not log or #log < 25 then return end
    if #packed == 32 + packed:byte(25) then
      local done, changed, head = admit(i, 1, packed, 1, log, 1, #log + 1)
      if not done then return end
      writes[i] = { 'SETRANGE', name, head - 1, changed }
    else
      log = admitSections(i, packed, log)
      if not log then return end
      writes[i] = { 'SET', name, log, 'KEEPTTL' }
    end
  end
  for _, write in ipairs(writes) do
    call(unpack(write))
  end
  local handle = table.concat(handles)
  return encode('>BI4BI2I2i8i8i8i8i8i8I2', 2, 1, 1, tightest, limit, least, 0, 0, 0, reset, time, #handle) .. handle
    .. table.concat(statuses)
end

-- The only request for several limits or keys.
if state == nil and flags == 0 then
  local claims, kinds, number = decode('>I2I4I4', groups, first + 1)
  if #KEYS == 2 * claims and kinds == 1 and number == 1 then
    local answer = together(1, claims, first + 7)
    if answer then return answer end
    together = nil
  end
end
