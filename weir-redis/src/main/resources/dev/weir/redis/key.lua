-- The state of a key of any kind. If it contains more than the section of one limit: 2 bytes (the format; 0), the time of the latest
-- request (7), the end of the block (7), sigma (8), the number of clock corrections modulo 256 (1); and for each section its expiry
-- (7), the number of corrections that it includes (1), its length (2) and its bytes.
--
-- The time of a key never decreases. sigma is added to the server's clock, and compensates for a clock that was set back.
local SECTIONS, STEP, MAX_DORMANT = 0, 1000000, 64

-- Returns the kind of limits that a section belongs to.
local function kindOf(bytes) return bytes:byte(2) % 8 end

-- Returns whether a section is that of a log with RARE, see log-head.lua.
local function isLong(bytes) return kindOf(bytes) <= 2 and #bytes > SHORTEST and bytes:byte(-8) > 0 end

-- Returns whether a log with RARE at a place has pending reservations, or blocks: then the number of the first is not that of the open one.
local function hasParts(bytes, at) return bytes:sub(at, at + 1) ~= '\0\0' or bytes:sub(at + 31, at + 36) ~= bytes:sub(at + 37, at + 42) end

-- Adds a section to a key, if its prefix is not damaged: else it would look like that of another limit.
local function addSection(key, expiry, corrections, bytes)
  if #bytes < SHORTEST then damaged() end
  local sum = 0
  for at = 1, CREATED - 2 do
    sum = (31 * sum + bytes:byte(at)) % 256
  end
  if sum ~= bytes:byte(CREATED - 1) then damaged() end
  if isLong(bytes) and (KEYS[1] ~= KEYS[2] or hasParts(bytes, 28 + bytes:byte(-9))) then key.long = hashOf(key) end
  key.sections[#key.sections + 1] = { expiry = expiry, steps = corrections, bytes = bytes }
end

-- Loads a key of the script.
local function loadKey(keyNumber)
  local key = {
    name = KEYS[2 * keyNumber - 1], blocks = KEYS[2 * keyNumber], sections = {}, memories = {}, last = time, raw = time, now = time,
    blocked = 0, sigma = 0, steps = 0, changed = false, long = false,
  }
  local state = call('GET', key.name)
  if not state then return key end
  if #state < 25 or state:byte() ~= FORMAT then
    error('WEIR state of another format')
  elseif state:byte(2) ~= SECTIONS then
    local millis = call('PTTL', key.name)
    addSection(key, millis < 0 and 2 ^ 52 or time + 1000 * millis, 0, state)
    key.last = decode('>I7', state, #state > SHORTEST and #state - 6 or CREATED)
    return key
  end
  local at, expiry, corrections, bytes
  key.last, key.blocked, key.sigma, key.steps, at = decode('>I7I7i8B', state, 3)
  while at <= #state do
    expiry, corrections, bytes, at = decode('>I7BI2c0', state, at)
    addSection(key, expiry, corrections, bytes)
  end
  return key
end

-- Sets the time of a key. If the server's clock was set back by more than the tolerance, all pending reservations count from now on,
-- and sigma grows by the difference; else the key's time does not change.
local function turn(key, tolerance)
  key.raw = time + key.sigma
  if key.last - key.raw > tolerance then
    key.sigma, key.raw, key.steps, key.changed = key.sigma + key.last - key.raw, key.last, (key.steps + 1) % 256, true
  end
  key.now = max(key.raw, key.last)
  if key.blocked <= key.now then key.blocked = 0 end
end

-- Removes the section of a limit from those of a key, and returns it; nil if there is none.
local function takeSection(key, limit)
  local name = limit.prefix:sub(10, 12)
  for n, section in ipairs(key.sections) do
    if kindOf(section.bytes) == limit.kind and section.bytes:sub(10, 12) == name then
      return table.remove(key.sections, n)
    end
  end
end

-- Opens the section of a limit, or none, at the time of the key.
local function openLimit(key, limit, section)
  local rules = rulesOf(limit.kind)
  section = section or { steps = key.steps, bytes = '' }
  local changed = section.bytes ~= '' and section.bytes:find(limit.prefix, 1, true) ~= 1
  local m = rules.open(section.bytes, limit, key.now, key.blocks, changed and decode('>I7', section.bytes, 3))
  if section.steps ~= key.steps and rules.countAll then rules.countAll(m) end
  m.rules = rules
  key.memories[#key.memories + 1] = m
  return m
end

-- Returns for how long a key is still blocked.
local function blockedFor(key) return max(0, key.blocked - key.now) end

-- Returns the states of limits that still count, or whose blocks are still to be dropped; and their latest expiry.
local function countingStates(key)
  local states, expires = {}, 0
  for _, m in ipairs(key.memories) do
    m.expiry = m.rules.expiry and m.rules.expiry(m) or 0
    if m.expiry > key.now or m.long then
      states[#states + 1], expires = m, max(expires, m.expiry)
    end
  end
  return states, expires
end

-- Returns the sections of limits that are not among those of the request, and still count; their latest expiry; and whether one has blocks.
local function dormantSections(key)
  local packed, expires, long = {}, 0, false
  for _, section in ipairs(key.sections) do
    if section.expiry > key.now and #packed < MAX_DORMANT then
      expires, long = max(expires, section.expiry), long or isLong(section.bytes)
      packed[#packed + 1] = encode('>I7BI2c0', section.expiry, section.steps, #section.bytes, section.bytes)
    end
  end
  return packed, expires, long
end

-- Writes the blocks of a limit. Returns its section. That states an expiry as if it were the only one, because the straight path does not
-- use an expiry that is too far away for the window of its limit; the key expires with the last section.
local function sectionOf(key, m)
  local _
  _, m.expires = keepFor(max(0, m.expiry - key.raw))
  local bytes = m.limit.prefix .. encode('>I7I7', m.created, m.expires) .. m.rules.packed(m)
  if m.rare then m.rules.saveBlocks(m) end
  return bytes
end

-- Writes a key with a time to live until all its sections expire, or removes it.
local function saveKey(key)
  local states, latest = countingStates(key)
  local dormant, latestDormant, long = dormantSections(key)
  local count, isPlain = #states + #dormant, key.blocked == 0 and key.sigma == 0
  if count == 0 and isPlain then
    call('UNLINK', key.name, key.blocks)
    return
  end
  local millis = keepFor(max(latest, latestDormant, key.blocked, key.raw) - key.raw)
  if #dormant > 0 then millis = max(millis, call('PTTL', key.name)) end -- not sooner than these sections state, see renewal.lua
  local parts = { encode('>BBI7I7i8B', FORMAT, SECTIONS, key.now, key.blocked, key.sigma, key.steps) }
  for _, m in ipairs(states) do
    local bytes = sectionOf(key, m)
    long = long or isLong(bytes)
    if count == 1 and isPlain then
      parts = { bytes }
    else
      parts[#parts + 1] = encode('>I7BI2c0', m.expiry, key.steps, #bytes, bytes)
    end
  end
  call('SET', key.name, table.concat(parts) .. table.concat(dormant), 'PX', millis)
  if long then
    call('PEXPIRE', key.blocks, millis)
  elseif key.long then
    call('UNLINK', key.blocks)
  end
end

-- Writes a key if it or one of its limits has changed.
local function saveChanged(key)
  for _, m in ipairs(key.memories) do
    key.changed = key.changed or m.changed
  end
  if key.changed then saveKey(key) end
end

-- Opens the keys of a request, from `keyNumber` on, under the limits of each, at the same time: `lag` after
-- that of the server's clock. If `exact`, as for several keys and for requests that may wait, there is no lag: each step of the clock is
-- compensated, because a key whose time stands still would move the others forward, and its reservations would start before their time.
local function openKeys(keyNumber, lists, exact)
  local keys, lag, size, block = {}, 0, 0, 0
  for i, limits in ipairs(lists) do
    local key, tolerance = loadKey(keyNumber + i - 1), exact and 0 or STEP
    for _, limit in ipairs(limits) do
      tolerance = min(tolerance, limit.window)
    end
    turn(key, tolerance)
    lag, keys[i], size, block = key.now - key.raw, key, size + #limits, max(block, blockedFor(key))
    for _, limit in ipairs(limits) do
      openLimit(key, limit, takeSection(key, limit))
    end
  end
  return { keys = keys, lag = lag, size = size, block = block }
end
