-- The straight path of joint requests and of keys with several limits, see key.lua and decide.lua.
local items, entries = {}, {} -- of each limit of a request; of its answer. Tables used again cost less than new ones
local size, attempts = 0, false -- the number of limits; whether a denied request must be recorded

-- Adds the limits of the i-th key of a request with the places of their states. Returns whether the key has these limits only.
local function addLimits(i, name, limits)
  local state, from, last, blocked, sigma, length, _ = call('GET', name), 1, 0, 0, 0, 0, nil
  if state and not limits.alone then
    if #state < 25 or state:byte() ~= FORMAT or state:byte(2) > 0 then return false end
    last, blocked, sigma, _, from = decode('>I7I7i8B', state, 3)
  end
  if last > time or blocked > time or sigma ~= 0 then return false end
  for n = 1, #limits do
    local at, behind = CREATED, CREATED
    if state then
      if from > #state then return false end
      length = #state
      if not limits.alone then
        _, _, length, from = decode('>I7BI2', state, from)
      end
      at, behind = from + CREATED - 1, from + length
      if behind < at + 15 or state:find(limits[n].prefix, from, true) ~= from then return false end
      from = behind
    end
    size, attempts = size + 1, attempts or limits[n].flags == ATTEMPTS
    local item = items[size] or {}
    item.limit, item.state, item.at, item.behind, item.key = limits[n], state, at, behind, i
    items[size] = item
  end
  return not state or from > #state -- else it has limits that this request does not have
end

-- Decides the limits of a request. Returns how many of the equal requests are decided, and the longest wait; or nothing.
local function decideEach(permits, count, dry)
  local least, longest = count, 0
  for n = 1, size do
    local item = items[n]
    local number, wait, remaining, reset, handle, changed, millis =
      straight(item.limit, item.state, item.at, item.behind, permits[item.key], count, dry)
    if not number or wait < 0 or wait > MOST or reset < 0 or reset > MOST then return end
    item.wait, item.remaining, item.reset, item.changed, item.millis = wait, remaining, reset, changed, millis
    entries[n + 1] = handle or ''
    least, longest = number < least and number or least, wait > longest and wait or longest
  end
  return least, longest
end

-- Writes the key of several limits, the first of which is an item.
local function writeSections(name, first, last)
  local parts, longest = { encode('>BBI7I7i8B', FORMAT, 0, time, 0, 0, 0) }, 0
  for n = first, last do
    local item, before, behind = items[n], '', ''
    if not item.millis then
      before, behind = item.state:sub(item.at, item.at + 13), item.state:sub(item.at + 14 + #item.changed, item.behind - 1)
    end
    longest = max(longest, item.reset)
    local at = #parts
    parts[at + 1] = encode('>I7BI2c0', time + item.reset, 0, CREATED - 1 + #before + #item.changed + #behind, item.limit.prefix)
    parts[at + 2], parts[at + 3], parts[at + 4] = before, item.changed, behind
  end
  call('SET', name, table.concat(parts), 'PX', keepFor(longest))
end

-- Writes the keys of a request that is granted, the first of which is the claim-th of the script.
local function writeAll(claim, lists)
  local first = 1
  for i = 1, #lists do
    local name, limits = KEYS[2 * (claim + i) - 3], lists[i]
    if limits.alone then
      write(name, limits.alone.prefix, items[first].changed, items[first].millis)
    else
      writeSections(name, first, first + #limits - 1)
    end
    first = first + #limits
  end
end

-- Decides the first of a number of equal joint requests. Returns how many it decided, and their answer; or nothing.
--   claim, lists  the position of the first key, and the limits of each key
local function decideJointly(claim, lists, count, patience, permits)
  size, attempts = 0, false
  for i = 1, #lists do
    if not addLimits(i, KEYS[2 * (claim + i) - 3], lists[i]) then return end
    count = permits[i] == permits[1] and count or 1
  end
  local number, wait = decideEach(permits, count, look)
  if look and wait == 0 then
    number = 1
  elseif number and wait == 0 and number < count then
    number, wait = decideEach(permits, number, look)
  end
  if not number or wait > 0 and (wait <= patience or attempts and not look) then
    return
  elseif wait > 0 and not look then
    number, wait = decideEach(permits, count, true)
  elseif not look then
    writeAll(claim, lists)
  end
  local step, length = wait == 0 and number > 1 and permits[1] or 0, 0
  for n = 1, size do
    local item = items[n]
    length = length + #entries[n + 1]
    entries[size + n + 1] = encode(STATUS, item.remaining, wait > 0 and item.wait or 0, item.reset)
  end
  entries[1] = encode(ANSWER, 2, number, wait == 0 and 1 or 0, step, wait, time, length)
  work = work + 2 * size
  return number, table.concat(entries, '', 1, 2 * size + 1)
end
