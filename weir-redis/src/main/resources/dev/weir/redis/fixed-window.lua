-- The rules of fixed windows.
local MAX_WINDOWS = 64 -- that have not ended

-- Adopts windows of another length or alignment: those that have not ended continue by the new one.
local function adopt(m, length)
  local before, now = m.list, m.now
  m.list, m.changes, m.changed = {}, (m.changes + 1) % 2 ^ 23, true
  for i = 1, #before, 2 do
    local start, count = before[i], before[i + 1]
    if now - start < length and count > 0 then
      local from = now - start >= m.limit.window and now or start
      add(m, m.limit.flags == FIRST and from or aligned(m, max(start, now)), count)
    end
  end
end

-- Opens a state, see log.lua.
local function open(state, limit, now, _, changed)
  local m = windowAt(state, CREATED, #state + 1, limit, now)
  if changed or m.first ~= limit.flags then
    adopt(m, changed or limit.window)
  end
  prune(m)
  return m
end

-- Sets the alignment of a limit under which a state was written.
local function restore(limit, section) limit.flags = windowAt(section, CREATED, #section + 1, limit, 0).first end

local function earliest(m, from, permits)
  local room, list, window = m.limit.permits - permits, m.list, m.limit.window
  if room < 0 then return NEVER end
  local at = m.now + from
  local i = covering(m, at)
  while i and list[i + 1] > room do
    local next, ends = list[i + 2], list[i] + window
    at = min(next or ends, ends) -- windows that the first request opens may overlap
    i = next and next <= at and i + 2 or nil
  end
  return at - m.now
end

-- If the first request opens a window, reservations start only at this limit's own earliest fit: another start could open a window
-- that overlaps others.
local function canGrant(m, wait, permits)
  if wait == 0 or covering(m, m.now + wait) then return true end
  return #m.list / 2 < MAX_WINDOWS and (m.limit.flags ~= FIRST or wait == earliest(m, 0, permits))
end

-- Refunds permits. An empty window stays while a later one has grants: else another one could open between them and overlap both.
local function refund(m, permits, _, created, changes, start)
  for i = 1, #m.list, 2 do
    if m.list[i] == start and m.changes == changes and m.created == created then
      m.list[i + 1], m.changed = m.list[i + 1] - permits, true
      while m.list[1] and m.list[#m.list] <= 0 do
        m.list[#m.list], m.list[#m.list - 1] = nil, nil
      end
      return
    end
  end
end

local function remaining(m)
  local i = covering(m, m.now)
  return i and max(0, m.limit.permits - m.list[i + 1]) or m.limit.permits
end

local function resetAfter(m) return max(0, windowsEnd(m) - m.now) end

-- Returns the windows, see log-inspect.lua.
local function runs(m)
  local counted, pending = {}, {}
  for i = #m.list - 1, 1, -2 do
    local list = m.list[i] > m.now and pending or counted
    if m.list[i + 1] > 0 then
      list[#list + 1], list[#list + 2] = m.list[i], m.list[i + 1]
    end
  end
  return counted, pending, true
end

local window = {
  open = open, restore = restore, earliest = earliest, canGrant = canGrant, grant = grantWindow, refund = refund,
  remaining = remaining, resetAfter = resetAfter, expiry = windowsEnd, packed = packedWindows, runs = runs, handle = WINDOW_HANDLE,
}
