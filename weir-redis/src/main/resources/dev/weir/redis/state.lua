-- How the state of a key lies on the server, and how time passes for it.
local SLIDING_LOG, SLIDING_WINDOW, FIXED_WINDOW, TOKEN_BUCKET, LEAKY_BUCKET, GCRA, UNLIMITED = 1, 2, 3, 4, 5, 6, 7
local ATTEMPTS, CLASSIC, FIRST, QUEUE = 1, 2, 4, 8
local FORMAT, NEVER, MAX_PENDING, MAX_DORMANT = 1, math.huge, 1024, 64
local SLACK_MILLIS, STEP = 1000 + spare, 1000000

-- The rules of the algorithms by their kinds; a family of them is defined when the first of them is needed.
local families = {}
local algorithms = setmetatable({}, {
  __index = function(rules, kind)
    families[kind <= SLIDING_WINDOW and 'log' or kind == FIXED_WINDOW and 'windows' or kind == UNLIMITED and 'unlimited'
      or 'schedule']()
    return rawget(rules, kind)
  end,
})

-- Limits as the client packs them: permits, tick, flags, kind, window with its margin, name, burst.
local function limits(packed)
  local list, at = {}, 1
  while at <= #packed do
    local permits, tick, flags, kind, window, name, burst
    permits, tick, flags, kind, window, name, burst, at = struct.unpack('>I7I7BBI7Bc0I7', packed, at)
    list[#list + 1] = {
      kind = kind, name = name, permits = permits, window = window, tick = tick, burst = burst,
      attempts = flags == ATTEMPTS, classic = flags == CLASSIC, first = flags == FIRST, queue = flags == QUEUE,
    }
  end
  return list
end

-- A key's state: { format, last time seen, age, extras or 0, section ... }, a section being { kind, name, what its algorithm
-- packs ... } with instants counted from the last time. Extras: { blocked until, sigma, { expiry, base, section } ... }.
-- The state of one limit is shorter, as a rule: see plain-state.lua.
local function load(i)
  local key = {
    name = KEYS[2 * i - 1], blocks = KEYS[2 * i], sections = {}, dormant = {}, blocked = 0, sigma = 0,
    last = false, created = 0, now = 0, raw = 0, base = 0, asked = false, memories = false, changed = false, stepped = false,
  }
  local packed = redis.call('GET', key.name)
  if packed and (packed:byte() or 6) <= 5 then
    if not pcall(loadPlain, key, packed) then
      error('WEIR state of another format')
    end
  elseif packed then
    local readable, state = pcall(cmsgpack.unpack, packed)
    if not readable or type(state) ~= 'table' or state[1] ~= FORMAT then
      error('WEIR state of another format')
    end
    key.last, key.created = state[2], state[2] - state[3]
    local extras = state[4]
    if extras ~= 0 then
      key.blocked, key.sigma = extras[1], extras[2]
      for n = 3, #extras do
        key.dormant[n - 2] = extras[n]
      end
    end
    for n = 5, #state do
      key.sections[n - 4] = state[n]
    end
  end
  return key
end

-- The time of a key: it never steps back. If the server's clock has by more than its tolerance, all that is booked counts
-- until it is in the past, and the difference is made up for good.
local function turn(key, time, tolerance)
  key.raw = time + key.sigma
  if not key.last then
    key.last, key.created = key.raw, key.raw
  elseif key.last - key.raw > tolerance then
    key.sigma = key.sigma + key.last - key.raw
    key.raw = key.last
    key.stepped, key.changed = true, true
  end
  key.base = key.last
end

local function packSection(m, base)
  return { m.limit.kind, m.limit.name, unpack(m.rule.pack(m, base)) }
end

local function unpackSection(m, section, base, now)
  m.rule.unpack(m, section and { unpack(section, 3) }, base, now)
end

local function memory(key, limit)
  return {
    limit = limit, rule = algorithms[limit.kind], key = key.blocks, slot = key.slot, blocks = {}, writes = {}, changed = false,
    head = '', tail = '', from = 0, to = 0, edge = 0, total = 0, widest = 0, expired = 0, -- a table that need not grow
  }
end

-- What a section remembers, under the limit as it was.
local function memoryOf(key, section, base, now)
  local limit = algorithms[section[1]].limitOf({ unpack(section, 3) }, section[1])
  limit.kind, limit.name = section[1], section[2]
  local m = memory(key, limit)
  unpackSection(m, section, base, now)
  return m
end

-- Until when a key's limits remember something.
local function rest(key)
  local expires = 0
  for _, section in ipairs(key.sections) do
    local m = memoryOf(key, section, key.base, key.now)
    expires = math.max(expires, m.rule.expires(m))
  end
  for _, kept in ipairs(key.dormant) do
    expires = math.max(expires, kept[1])
  end
  return expires
end

local function hasBlocks(section)
  local from, to = unpack(section, 8, 9)
  return section[1] <= SLIDING_WINDOW and to and from < to
end

-- The blocks of all logs of a key lie in one hash, which stays for as long as the key does.
local function keepBlocks(key, sections, millis)
  local any = false
  for _, section in ipairs(sections) do
    any = any or hasBlocks(section)
  end
  for _, kept in ipairs(key.dormant) do
    any = any or hasBlocks(kept[3])
  end
  if any then
    redis.call('PEXPIRE', key.blocks, millis)
  end
end

-- Writes a key's state, until all that it remembers is over; or removes it, if that is so already.
local function save(key, sections, expires)
  local millis = math.ceil((expires - key.raw) / 1000)
  if millis <= 0 and key.sigma == 0 then
    redis.call('DEL', key.name, key.blocks)
    return
  end
  millis = math.max(millis, 0) + SLACK_MILLIS
  if #sections == 1 and key.sigma == 0 and sections[1][1] <= SLIDING_WINDOW then
    millis = millis + 1000 + math.ceil(sections[1][3] / 8000) -- as plain.lua does
  end
  local packed
  if key.blocked > 0 or key.sigma ~= 0 or #key.dormant > 0 then
    local extras = { key.blocked, key.sigma, unpack(key.dormant) }
    packed = cmsgpack.pack({ FORMAT, key.last, key.last - key.created, extras, unpack(sections) })
  else
    packed = #sections == 1 and plainState(key, sections[1], key.raw + 1000 * (millis - spare))
      or cmsgpack.pack({ FORMAT, key.last, key.last - key.created, 0, unpack(sections) })
  end
  redis.call('SET', key.name, packed, 'PX', millis)
  keepBlocks(key, sections, millis)
end

-- Writes the blocks that have changed; to be followed by save.
local function saveBlocks(key, m)
  local set, del = {}, {}
  for field, value in pairs(m.writes) do
    if value then
      set[#set + 1] = field
      set[#set + 1] = value
    else
      del[#del + 1] = field
    end
  end
  for i = 1, #del, 1000 do
    redis.call('HDEL', key.blocks, unpack(del, i, math.min(i + 999, #del)))
  end
  for i = 1, #set, 1000 do
    redis.call('HSET', key.blocks, unpack(set, i, math.min(i + 999, #set)))
  end
end
