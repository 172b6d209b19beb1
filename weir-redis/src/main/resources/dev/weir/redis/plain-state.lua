-- The usual state of a key, that of one log which is not in the middle of a change, as plain.lua reads and writes it.
--
-- Shape 1: last time, when the state was made, the newest stamp, total; how many runs are hot and how many of them are the
-- front; the first chunk of the ring, how many there are, and how many of those belong to the head; blocks from and to, slot;
-- kind, window, name; the hot runs. Between the front and the others, the back, lie the chunks of six runs, if there are any:
-- in a ring of 32 behind the room for 18 hot runs; and the blocks between those of the head and those of the tail.
-- Shape 2, the state made with one run: last time; its stamp less that, its weight; kind, window, name.
local SINGLE, PLAIN, RING, CHUNK = '>BI7i4I4BI7Bc0', '>BI7I7I7I7BBBBBI6I6BBI7Bc0', 32, 60

local function loadPlain(key, state)
  if state:byte() == 2 then
    local _, last, ahead, total, kind, window, name = struct.unpack(SINGLE, state)
    key.last, key.created = last, last
    key.sections[1] = { kind, name, window, ahead, total }
    return
  end
  local _, last, created, newest, total, hot, front, start, cold, headed, from, to, slot, kind, window, name, at =
    struct.unpack(PLAIN, state)
  local ring = at + 180
  local chunks = state:sub(ring + CHUNK * start, ring + CHUNK * math.min(start + cold, RING) - 1)
  if start + cold > RING then
    chunks = chunks .. state:sub(ring, ring + CHUNK * (start + cold - RING) - 1)
  end
  local head = state:sub(at, at + 10 * front - 1) .. chunks:sub(1, CHUNK * headed)
  local tail = chunks:sub(CHUNK * headed + 1) .. state:sub(at + 10 * front, at + 10 * hot - 1)
  if from == to then
    head, tail = '', head .. tail
  end
  key.last, key.created = last, created
  key.sections[1] = { kind, name, window, newest - last, total, head, tail, from, to, window, 0, slot, 10 }
end

-- The plain state of a section, or none if it is not that of a log (kinds 1 and 2) or not plain.
local function plainState(key, section)
  local kind, name, window, ahead, total, head, tail, from, to, widest, expired, slot, width = unpack(section)
  if kind > 2 or not total then
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
  local size, front, headed = #head / 10, 0, 0
  if from < to then
    front = (size - 1) % 6 + 1
    headed = (size - front) / 6
  else
    head, tail, size = '', head .. tail, 0
    if #tail >= 180 then
      head, tail, size, front = tail:sub(1, 60), tail:sub(61), 6, 6
    end
  end
  local last = #tail / 10
  local back = last < 6 and last or 6 + last % 6
  if front == 0 then
    back = last
  end
  local cold = headed + (last - back) / 6
  if cold > RING then
    return nil
  end
  local hot = struct.pack(PLAIN, 1, key.last, key.created, key.last + ahead, total, front + back, front, 0, cold, headed, from, to,
    slot, kind, window, #name, name) .. head:sub(1, 10 * front) .. tail:sub(-10 * back)
  if cold == 0 then
    return hot
  end
  return hot .. string.rep('\0', 180 - 10 * (front + back)) .. head:sub(10 * front + 1) .. tail:sub(1, -10 * back - 1)
end
