-- Runs of permits, oldest first: stamps and weights. Both ends lie in the state, packed; what is between lies in blocks, in
-- the hash of the key, and is touched once in BLOCK runs. There is a tail whenever there are runs.
-- A run takes m.width bytes: ten, or fourteen if one has been as heavy as 2^24 since the log was empty.
local BLOCK = 64

local runs = {}

local function read(m, bytes, at)
  return struct.unpack(m.width == 10 and '>I7I3' or '>I7I7', bytes, at)
end

local function written(m, stamp, weight)
  return struct.pack(m.width == 10 and '>I7I3' or '>I7I7', stamp, weight)
end

local function widened(bytes)
  local parts = {}
  for at = 1, #bytes, 10 do
    local stamp, weight = struct.unpack('>I7I3', bytes, at)
    parts[#parts + 1] = struct.pack('>I7I7', stamp, weight)
  end
  return table.concat(parts)
end

-- Makes room for a weight.
local function fit(m, weight)
  if weight >= 2 ^ 24 and m.width == 10 then
    m.head, m.tail, m.width = widened(m.head), widened(m.tail), 14
  end
end

function runs.size(m)
  return (#m.head + #m.tail) / m.width + (m.to - m.from) * BLOCK
end

local function field(m, n)
  return string.format('%d:%.0f', m.slot, n)
end

-- A block is a list: a stamp and a weight, then distances and weights.
local function block(m, n)
  local known = m.blocks[n]
  if known then
    return known
  end
  local list = cmsgpack.unpack(redis.call('HGET', m.key, field(m, n)))
  for i = 3, 2 * BLOCK, 2 do
    list[i] = list[i - 2] + list[i]
  end
  m.blocks[n] = list
  return list
end

local function put(m, n, list)
  m.blocks[n] = list
  local packed = { list[1], list[2] }
  for i = 3, 2 * BLOCK, 2 do
    packed[i] = list[i] - list[i - 2]
    packed[i + 1] = list[i + 1]
  end
  m.writes[field(m, n)] = cmsgpack.pack(packed)
end

local function unpacked(m, list)
  local parts = {}
  for i = 1, 2 * BLOCK, 2 do
    parts[#parts + 1] = written(m, list[i], list[i + 1])
  end
  return table.concat(parts)
end

local function remove(m, n)
  m.blocks[n] = nil
  m.writes[field(m, n)] = false
end

-- Fills an empty end from its neighbour. The newest run has weight, though others may have lost theirs while in a block.
local function refill(m)
  if m.head == '' and m.from < m.to then
    m.head = unpacked(m, block(m, m.from))
    remove(m, m.from)
    m.from = m.from + 1
  end
  repeat
    local whole = true
    if m.tail == '' and m.from < m.to then
      m.to = m.to - 1
      m.tail = unpacked(m, block(m, m.to))
      remove(m, m.to)
    elseif m.tail == '' then
      m.head, m.tail = '', m.head
    end
    if m.tail ~= '' then
      local _, weight = read(m, m.tail, #m.tail - m.width + 1)
      if weight == 0 then
        m.tail, whole = m.tail:sub(1, -m.width - 1), false
      end
    end
  until whole
end

-- The stamp and the weight of a run, counted from 0.
function runs.get(m, i)
  local at = i * m.width
  if at < #m.head then
    return read(m, m.head, at + 1)
  end
  at = at - #m.head
  local middle = (m.to - m.from) * BLOCK * m.width
  if at >= middle then
    return read(m, m.tail, at - middle + 1)
  end
  local n = math.floor(at / m.width / BLOCK)
  local list = block(m, m.from + n)
  local j = 2 * (at / m.width - n * BLOCK)
  return list[j + 1], list[j + 2]
end

function runs.newest(m)
  return (read(m, m.tail, #m.tail - m.width + 1))
end

-- Puts a weight in the place of a run's. Nothing is left of a run without any, but in a block; whether that is so.
local function set(m, i, stamp, weight)
  local dropped = weight == 0
  local at = i * m.width
  local new = weight > 0 and written(m, stamp, weight) or ''
  if at < #m.head then
    m.head = m.head:sub(1, at) .. new .. m.head:sub(at + m.width + 1)
  else
    at = at - #m.head
    local middle = (m.to - m.from) * BLOCK * m.width
    if at >= middle then
      at = at - middle
      m.tail = m.tail:sub(1, at) .. new .. m.tail:sub(at + m.width + 1)
    else
      local n = math.floor(at / m.width / BLOCK)
      local list = block(m, m.from + n)
      list[2 * (at / m.width - n * BLOCK) + 2] = weight
      put(m, m.from + n, list)
      dropped = false
    end
  end
  refill(m)
  return dropped
end

function runs.drop(m, i)
  if i == 0 and m.head == '' and m.from == m.to then
    m.tail = m.tail:sub(m.width + 1)
  elseif i == 0 and #m.head > m.width then
    m.head = m.head:sub(m.width + 1)
  else
    set(m, i, 0, 0)
  end
end

-- Takes weight from a run; whether nothing is left of it.
function runs.take(m, i, weight)
  local stamp, before = runs.get(m, i)
  return set(m, i, stamp, before - weight)
end

-- Adds weight at a stamp that is not before the tail: to the run that is there, or as a run of its own.
function runs.add(m, stamp, weight)
  fit(m, weight)
  local i = #m.tail / m.width
  while i > 0 do
    local before, there = read(m, m.tail, (i - 1) * m.width + 1)
    if before == stamp then
      fit(m, there + weight)
      m.tail = m.tail:sub(1, (i - 1) * m.width) .. written(m, stamp, there + weight) .. m.tail:sub(i * m.width + 1)
      return
    elseif before < stamp then
      break
    end
    i = i - 1
  end
  m.tail = m.tail:sub(1, i * m.width) .. written(m, stamp, weight) .. m.tail:sub(i * m.width + 1)
end

-- Puts the oldest of a long tail into a block, if nothing can be booked among them any more.
function runs.seal(m, now)
  while #m.tail >= 2 * BLOCK * m.width and read(m, m.tail, (BLOCK - 1) * m.width + 1) <= now do
    local oldest = m.tail:sub(1, BLOCK * m.width)
    if m.head == '' and m.from == m.to then
      m.head = oldest
    else
      local list = {}
      for i = 0, BLOCK - 1 do
        list[2 * i + 1], list[2 * i + 2] = read(m, oldest, i * m.width + 1)
      end
      put(m, m.to, list)
      m.to = m.to + 1
    end
    m.tail = m.tail:sub(BLOCK * m.width + 1)
  end
end

-- The weight of the runs in an end, of which so many are not counted.
local function weigh(m, bytes, skipped)
  local sum = 0
  for at = math.max(skipped, 0) * m.width + 1, #bytes, m.width do
    local _, weight = read(m, bytes, at)
    sum = sum + weight
  end
  return sum
end

-- The hash may have been evicted. What the blocks weighed counts from then on as if it had come with the oldest run of the
-- tail: too long rather than not at all. The oldest block tells, for the others were written after it.
function runs.findLost(m)
  if m.from == m.to or redis.call('HGET', m.key, field(m, m.from)) then
    return
  end
  local before, middle = #m.head / m.width, (m.to - m.from) * BLOCK
  local lost = m.total - weigh(m, m.head, m.expired) - weigh(m, m.tail, m.expired - before - middle)
  for n = m.from, m.to - 1 do
    remove(m, n)
  end
  m.from = m.to
  m.expired = m.expired < before and m.expired or math.max(before, m.expired - middle)
  local stamp, weight = read(m, m.tail, 1)
  fit(m, weight + lost)
  m.tail = written(m, stamp, weight + lost) .. m.tail:sub(m.width + 1)
end

-- How many runs have a stamp at or before this one.
function runs.upTo(m, stamp)
  local low, high = 0, runs.size(m)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if runs.get(m, middle) <= stamp then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- The run with exactly this stamp, or -1.
function runs.find(m, stamp)
  local i = runs.upTo(m, stamp) - 1
  return i >= 0 and runs.get(m, i) == stamp and i or -1
end
