-- The keys of one joint request: their states, under the limits that are requested, at one time.
--   keys   the states, in the order of the requests
--   lag    by how far the server's clock is behind the time of the keys, in microseconds; waits are counted from the clock
--   known  limits by their packed form
local keys, lag
local known = {}

-- Loads the state of a key, the claim-th of the script, as the i-th of this joint request.
local function open(i, claim)
  local key, packed = load(claim), ARGV[1 + claim]
  known[packed] = known[packed] or limits(packed)
  local tolerance = STEP
  for _, limit in ipairs(known[packed]) do
    tolerance = math.min(tolerance, limit.window)
  end
  turn(key, time, tolerance)
  key.asked = known[packed]
  lag = math.max(lag, key.last - key.raw)
  keys[i] = key
end

-- Returns the section of a limit, by its name and algorithm, and the time its instants count from; nothing if there is none.
local function find(key, limit, now)
  for n, section in ipairs(key.sections) do
    if section[1] == limit.kind and section[2] == limit.name then
      table.remove(key.sections, n)
      return section, key.base
    end
  end
  for n, kept in ipairs(key.dormant) do
    if kept[3][1] == limit.kind and kept[3][2] == limit.name then
      table.remove(key.dormant, n)
      key.changed = true
      return kept[3], kept[2]
    end
  end
end

-- Returns a number that no log of the key uses for its blocks; a key has few limits.
local function nextSlot(key)
  local slot = 0
  for _, m in pairs(key.memories) do
    slot = math.max(slot, (m.slot or -1) + 1)
  end
  for _, kept in ipairs(key.dormant) do
    slot = math.max(slot, (kept[3][12] or -1) + 1)
  end
  return slot
end

-- Unpacks the sections of a key's limits at the time of the joint request; the others are kept until they are idle.
local function remember(key)
  local now = key.raw + lag
  key.now, key.memories = now, {}
  for n, limit in ipairs(key.asked) do
    local section, base = find(key, limit, now)
    local m = memory(key, limit)
    unpackSection(m, section, base, now)
    key.memories[n] = m
    if key.stepped then
      m.rule.clockStepped(m)
    end
    key.changed = key.changed or m.changed
  end
  for _, section in ipairs(key.sections) do
    local m = memoryOf(key, section, key.base, now)
    local expires = m.rule.expires(m)
    if expires > now and #key.dormant < MAX_DORMANT then
      key.dormant[#key.dormant + 1] = { expires, key.base, section }
    end
    key.changed = true
  end
  for n = #key.dormant, 1, -1 do
    local kept = key.dormant[n]
    if kept[1] <= now then
      table.remove(key.dormant, n)
    elseif key.stepped then
      local m = memoryOf(key, kept[3], kept[2], now)
      m.rule.clockStepped(m)
      kept[3] = packSection(m, kept[2])
    end
  end
  for _, m in ipairs(key.memories) do
    m.slot = m.slot or nextSlot(key)
  end
end

-- Returns how long a key is still blocked; 0 if it is not.
local function blockedFor(key)
  return math.max(0, key.blocked - key.now)
end
