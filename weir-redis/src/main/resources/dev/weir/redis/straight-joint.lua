-- The straight path of joint requests and of keys with several limits, see key.lua and decide.lua.
local parsed = {} -- lists of limits by their packed form

local function limitsOf(packed)
  local limits = parsed[packed]
  if not limits then
    limits = {}
    for at = 1, #packed, LIMIT do
      limits[#limits + 1] = limitAt(packed, at)
    end
    limits.alone = #limits == 1 and limits[1]
    parsed[packed] = limits
  end
  return limits
end

-- Adds the limits of the i-th key of a request with the places of their states. Returns whether the key has these limits only.
local function addLimits(items, i, name, limits)
  local state, from, last, blocked, sigma, size, _ = call('GET', name), 1, 0, 0, 0, 0, nil
  if state and not limits.alone then
    if #state < 25 or state:byte() ~= FORMAT or state:byte(2) > 0 then return false end
    last, blocked, sigma, _, from = decode('>I7I7i8B', state, 3)
  end
  if last > time or blocked > time or sigma ~= 0 then return false end
  for n = 1, #limits do
    local at, behind = CREATED, CREATED
    if state then
      if from > #state then return false end
      size = #state
      if not limits.alone then
        _, _, size, from = decode('>I7BI2', state, from)
      end
      at, behind = from + CREATED - 1, from + size
      if behind < at + 15 or state:find(limits[n].prefix, from, true) ~= from then return false end
      from = behind
    end
    items.attempts = items.attempts or limits[n].flags == ATTEMPTS -- whether a denied request must be recorded
    items[#items + 1] = {
      limit = limits[n], state = state, at = at, behind = behind, key = i, number = 0, wait = 0, remaining = 0, reset = 0,
      handle = '', changed = '', millis = 0, -- all fields, so that the table need not grow
    }
  end
  return not state or from > #state -- else it has limits that this request does not have
end

-- Decides the limits of a request. Returns how many of the equal requests are decided, and the longest wait; or nothing.
local function decideEach(items, permits, count, dry)
  local number, longest = count, 0
  for n = 1, #items do
    local item = items[n]
    item.number, item.wait, item.remaining, item.reset, item.handle, item.changed, item.millis =
      straight(item.limit, item.state, item.at, item.behind, permits[item.key], count, dry)
    if not item.number or item.wait < 0 or item.wait > MOST or item.reset < 0 or item.reset > MOST then return end
    number, longest = min(number, item.number), max(longest, item.wait)
  end
  return number, longest
end

-- Writes the key of several limits, the first of which is an item.
local function writeSections(name, items, first, size)
  local parts, longest = { encode('>BBI7I7i8B', FORMAT, 0, time, 0, 0, 0) }, 0
  for n = first, first + size - 1 do
    local item, unchanged = items[n], ''
    local rest = item.at + #item.changed
    if item.behind > rest and not item.millis then
      unchanged = item.state:sub(rest, item.behind - 1)
    end
    longest = max(longest, item.reset)
    local at = #parts
    parts[at + 1] = encode('>I7BI2c0', time + item.reset, 0, CREATED - 1 + #item.changed + #unchanged, item.limit.prefix)
    parts[at + 2], parts[at + 3] = item.changed, unchanged
  end
  call('SET', name, table.concat(parts), 'PX', keepFor(longest))
end

-- Writes the keys of a request that is granted. Returns its handle.
local function writeAll(claim, claims, items)
  local handles, first = {}, 1
  for i = 1, claims do
    local name, limits = KEYS[2 * (claim + i) - 3], limitsOf(ARGV[claim + i])
    if limits.alone then
      write(name, limits.alone.prefix, items[first].changed, items[first].millis)
    else
      writeSections(name, items, first, #limits)
    end
    first = first + #limits
  end
  for n = 1, #items do
    handles[n] = items[n].handle
  end
  return table.concat(handles)
end

-- Decides the first of a number of equal joint requests. Returns how many it decided, and their answer; or nothing.
local function decideJointly(claim, claims, count, patience, permits)
  local items, handle = { attempts = false }, ''
  for i = 1, claims do
    if not addLimits(items, i, KEYS[2 * (claim + i) - 3], limitsOf(ARGV[claim + i])) then return end
    count = permits[i] == permits[1] and count or 1
  end
  local number, wait = decideEach(items, permits, count, look)
  if look and wait == 0 then
    number = 1
  elseif number and wait == 0 and number < count then
    number, wait = decideEach(items, permits, number, look)
  end
  if not number or wait > 0 and (wait <= patience or items.attempts and not look) then
    return
  elseif wait > 0 and not look then
    number, wait = decideEach(items, permits, count, true)
  elseif not look then
    handle = writeAll(claim, claims, items)
  end
  local step = wait == 0 and number > 1 and permits[1] or 0
  local parts = { encode(ANSWER, 2, number, wait == 0 and 1 or 0, step, wait, time, #handle), handle }
  for n = 1, #items do
    local item = items[n]
    parts[n + 2] = encode(STATUS, item.remaining, wait > 0 and item.wait or 0, item.reset)
  end
  work = work + 2 * #items
  return number, table.concat(parts)
end
