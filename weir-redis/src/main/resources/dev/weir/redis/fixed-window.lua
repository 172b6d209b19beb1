-- The fixed window: windows as starts and counts, oldest first.
local windows = { PLACE = '>I7I7' }

local function aligned(m, instant)
  return instant - instant % m.limit.window
end

local function prune(m, now)
  while m.list[1] and now - m.list[1] >= m.limit.window do
    table.remove(m.list, 1)
    table.remove(m.list, 1)
  end
end

-- The window that an event at this instant joins, or none: where its start stands in the list.
local function covering(m, instant)
  for i = #m.list - 1, 1, -2 do
    if m.list[i] <= instant then
      return instant - m.list[i] < m.limit.window and i or nil
    end
  end
end

local function add(m, start, permits)
  local i = #m.list + 1
  while i > 1 and m.list[i - 2] > start do
    i = i - 2
  end
  if i > 1 and m.list[i - 2] == start then
    m.list[i - 1] = m.list[i - 1] + permits
  else
    table.insert(m.list, i, permits)
    table.insert(m.list, i, start)
  end
end

function windows.earliest(m, now, from, permits)
  local room = m.limit.permits - permits
  if room < 0 then
    return NEVER
  end
  prune(m, now)
  local at = from
  local i = covering(m, now + at)
  while i and m.list[i + 1] > room do
    at = m.list[i] + m.limit.window - now
    if m.limit.first and m.list[i + 2] then
      at = math.min(at, m.list[i + 2] - now)
    end
    i = covering(m, now + at)
  end
  return at
end

-- Where the first request opens a window, waiters book only at this limit's own fit, which is where a window ends.
function windows.canBook(m, now, wait, permits)
  if wait == 0 or covering(m, now + wait) then
    return true
  end
  return #m.list / 2 < MAX_PENDING and (not m.limit.first or wait == windows.earliest(m, now, 0, permits))
end

function windows.book(m, now, wait, permits)
  prune(m, now)
  local i = covering(m, now + wait)
  local start = i and m.list[i] or (m.limit.first and now + wait or aligned(m, now + wait))
  add(m, start, permits)
  return struct.pack(windows.PLACE, m.changes, start)
end

function windows.giveBack(m, permits, _, changes, start)
  for i = 1, #m.list, 2 do
    if m.list[i] == start and m.changes == changes then
      m.list[i + 1] = m.list[i + 1] - permits
      if m.list[i + 1] <= 0 then
        table.remove(m.list, i)
        table.remove(m.list, i)
      end
      return
    end
  end
end

function windows.takesFromWhatRemains()
  return true
end

function windows.denied()
  return false
end

function windows.remaining(m, now)
  prune(m, now)
  local i = covering(m, now)
  return i and math.max(0, m.limit.permits - m.list[i + 1]) or m.limit.permits
end

function windows.resetAfter(m, now)
  prune(m, now)
  return m.list[1] and m.list[#m.list - 1] + m.limit.window - now or 0
end

function windows.expires(m)
  return m.list[1] and m.list[#m.list - 1] + m.limit.window or 0
end

function windows.clockStepped() end

-- In the state: the window, twice the number of changes and one more if the first request opens it, and starts with counts.
-- Starts count from base, or in windows from the one that base is in.
function windows.pack(m, base)
  local packed = { m.limit.window, 2 * m.changes + (m.limit.first and 1 or 0) }
  for i = 1, #m.list, 2 do
    local start = m.list[i] - base
    packed[i + 2] = m.limit.first and start or (start + base % m.limit.window) / m.limit.window
    packed[i + 3] = m.list[i + 1]
  end
  return packed
end

function windows.unpack(m, packed, base, now)
  m.list, m.changes = {}, 0
  if not packed then
    return
  end
  local window = m.limit.window
  local same = packed[1] == window and packed[2] % 2 == (m.limit.first and 1 or 0)
  m.changed = not same
  m.changes = math.floor(packed[2] / 2) + (same and 0 or 1)
  for i = 3, #packed, 2 do
    local start, count = base + packed[i], packed[i + 1]
    if packed[2] % 2 == 0 then
      start = base - base % packed[1] + packed[i] * packed[1]
    end
    if same then
      m.list[#m.list + 1], m.list[#m.list + 2] = start, count
    elseif now - start < packed[1] then
      local from = math.max(start, now)
      if m.limit.first then
        add(m, now - start >= window and now or start, count)
      else
        add(m, aligned(m, from), count)
      end
    end
  end
end

function windows.limitOf(packed)
  return { window = packed[1], first = packed[2] % 2 == 1 }
end

algorithms[FIXED_WINDOW] = windows
