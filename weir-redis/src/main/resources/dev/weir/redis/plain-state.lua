-- The usual state of a key, that of one limit which is not in the middle of a change, as plain.lua reads and writes that of a
-- log, and plain-schedule.lua that of a token bucket, a leaky bucket or GCRA.
--
-- Shape 1: when the state was made, last time, the newest stamp, total, when the state expires; how many runs are in the
-- back, how many of the front's six are over, and how many are left; the first chunk of the ring, how many there are, and how
-- many of those belong to the head; kind, window, name; the back, the newest runs, and room for six; if there are more the
-- front, the six oldest, then blocks from and to, slot; and a ring of 32 chunks of six runs, which lie between.
-- Shape 3: the same where there are blocks, between the chunks of the head and the others.
-- Shape 2, the state made with one run: last time; its stamp less that, its weight; kind, window, name.
-- Shape 5: last time, when the state was made, arrival, fraction, changes, rate, burst; kind, window, name.
-- Shape 4, one just made, with the usual burst and neither fraction nor changes: last time, arrival less that, rate; as above.
local PAID, OWED = '>BI7I4I5BI7Bc0', '>BI7I7I7I7I3I7I7BI7Bc0'
local SINGLE, PLAIN = '>BI7i4I4BI7Bc0', '>BI7I7I7I7I7BBBBBBBI7Bc0'
local RING, CHUNK = 32, 60

local function loadPlain(key, state)
  if state:byte() == 2 then
    local _, last, ahead, total, kind, window, name = struct.unpack(SINGLE, state)
    key.last, key.created = last, last
    key.sections[1] = { kind, name, window, ahead, total }
    return
  elseif state:byte() == 4 then
    local _, last, ahead, rate, kind, window, name = struct.unpack(PAID, state)
    key.last, key.created = last, last
    key.sections[1] = { kind, name, window, rate, ahead }
    return
  elseif state:byte() == 5 then
    local _, last, created, arrival, fraction, changes, rate, burst, kind, window, name = struct.unpack(OWED, state)
    key.last, key.created = last, created
    key.sections[1] = { kind, name, window, rate, arrival - last, burst, fraction, changes }
    return
  end
  local shape, created, last, newest, total, _, back, skipped, left, start, cold, headed, kind, window, name, at =
    struct.unpack(PLAIN, state)
  local front = state:sub(at + CHUNK + 10 * skipped, at + CHUNK + 10 * (skipped + left) - 1)
  local ring = at + 2 * CHUNK + 13
  local chunks = state:sub(ring + CHUNK * start, ring + CHUNK * math.min(start + cold, RING) - 1)
  if start + cold > RING then
    chunks = chunks .. state:sub(ring, ring + CHUNK * (start + cold - RING) - 1)
  end
  local head, tail = front .. chunks:sub(1, CHUNK * headed), chunks:sub(CHUNK * headed + 1) .. state:sub(at, at + 10 * back - 1)
  local from, to, slot = 0, 0, 0
  if shape == 3 then
    from, to, slot = struct.unpack('>I6I6B', state, ring - 13)
  else
    head, tail = '', head .. tail
  end
  key.last, key.created = last, created
  key.sections[1] = { kind, name, window, newest - last, total, head, tail, from, to, window, 0, slot, 10 }
end

local function scheduleState(key, section)
  local kind, name, window, rate, ahead, burst, fraction, changes = unpack(section)
  if key.created == key.last and not burst and ahead >= 0 and ahead < 2 ^ 32 and rate < 2 ^ 40 then
    return struct.pack(PAID, 4, key.last, ahead, rate, kind, window, #name, name)
  elseif (changes or 0) < 2 ^ 24 then
    return struct.pack(OWED, 5, key.last, key.created, key.last + ahead, fraction or 0, changes or 0, rate,
      burst or (kind == 6 and 1 or rate), kind, window, #name, name)
  end
end

-- The plain state of a section, or none if it is not plain. Kinds 1 and 2 are logs, 3 is the fixed window.
local function plainState(key, section, expires)
  local kind, name, window, ahead, total, head, tail, from, to, widest, expired, slot, width = unpack(section)
  if kind > 3 then
    return scheduleState(key, section)
  elseif kind == 3 or not total then
    return nil
  elseif not tail then
    if key.created == key.last and math.abs(ahead) < 2 ^ 31 and total < 2 ^ 32 then
      return struct.pack(SINGLE, 2, key.last, ahead, total, kind, window, #name, name)
    elseif total >= 2 ^ 24 then
      return nil
    end
    head, tail, from, to, slot = '', struct.pack('>I7I3', key.last + ahead, total), 0, 0, 0
  elseif widest ~= window or expired > 0 or width ~= 10 or to >= 2 ^ 48
    or struct.unpack('>I7', tail, #tail - 9) ~= key.last + ahead then
    return nil
  end
  local shape, left, headed = from < to and 3 or 1, 0, 0
  if shape == 1 then
    head, tail = '', head .. tail
    if #tail > CHUNK then
      head, tail = tail:sub(1, CHUNK), tail:sub(CHUNK + 1)
    end
  end
  if head ~= '' then
    left = (#head / 10 - 1) % 6 + 1
    headed = (#head / 10 - left) / 6
  end
  local back = (#tail / 10 - 1) % 6 + 1
  local cold = headed + (#tail / 10 - back) / 6
  if cold > RING then
    return nil
  end
  local hot = struct.pack(PLAIN, shape, key.created, key.last, key.last + ahead, total, expires, back, 6 - left, left, 0, cold,
    headed, kind, window, #name, name) .. tail:sub(-10 * back)
  if left == 0 then
    return hot
  end
  return hot .. string.rep('\0', 2 * CHUNK - 10 * (back + left)) .. head:sub(1, 10 * left)
    .. struct.pack('>I6I6B', from, to, slot) .. head:sub(10 * left + 1) .. tail:sub(1, -10 * back - 1)
end
