-- What changes a log and writes it.

-- Puts a run into the tail, and moves the cursor behind it if it was at the newest run.
local function push(m, stamp, weight)
  local code, atEnd = encoded(stamp - m.closed, weight), m.next == m.newest
  if m.count == RUNS or #m.tail + #code > TAIL then
    rare('seal')(m)
  end
  m.tail, m.count, m.closed, m.settled = m.tail .. code, m.count + 1, stamp, m.settled + weight
  if atEnd then
    m.next, m.nextWeight, m.position = stamp, weight, #m.tail + 1
  end
end

-- Adds weight to the tail, at or before its end. If there is no room, returns the stamp from which on the weight counts; else nil.
local function insertLate(m, stamp, weight)
  local r = m.rare
  if r and log.insertPast(m, stamp, weight) then return nil end
  if m.tail == '' and not (r and r.first < r.open) then -- there is nothing before the newest run
    m.closed = min(stamp, m.created)
    if r then r.opened = m.closed end
  end
  return max(stamp, m.closed)
end

-- Adds weight to the past: to the newest run, as a new one behind it, or as one before it.
local function append(m, stamp, weight)
  m.edge = max(m.edge, stamp)
  if stamp == m.newest then
    m.newestWeight = m.newestWeight + weight
    if m.next == stamp then m.nextWeight = m.nextWeight + weight end
    return
  elseif m.closed == 0 or stamp <= m.closed then
    stamp = insertLate(m, stamp, weight)
    if not stamp then return end
  end
  if stamp < m.newest and m.newestWeight > 0 then
    push(m, stamp, weight)
    return
  elseif m.newestWeight > 0 then
    push(m, m.newest, m.newestWeight)
  elseif m.next == m.newest then
    m.next, m.nextWeight = stamp, weight
  end
  m.newest, m.newestWeight = stamp, weight
end

-- Returns whether permits that fit after a wait may be granted there.
local function canGrant(m, wait, permits)
  if wait == 0 then return true end
  return m.limit.flags ~= ATTEMPTS and rare('mayWait')(m, wait, permits)
end

-- Grants permits after a wait in microseconds. Returns the handle of a refund: when the log was created, and the stamp.
local function grant(m, wait, permits)
  local stamp, tick = m.now + wait, m.limit.tick
  if m.limit.flags == CLASSIC then
    stamp = max(stamp - stamp % tick, newestOfPast(m), m.forgotten + 1)
  elseif wait == 0 then
    stamp = max(stamp + -stamp % tick, m.edge)
  end
  m.changed = true
  if wait > 0 or m.pending > 0 then
    rare('grantAmongPending')(m, stamp, permits, wait == 0)
  else
    append(m, stamp, permits)
  end
  return encode('>I7I7', m.created, stamp)
end

-- Records a denied attempt if attempts count: whether it did. Only the newest attempts that can decide are kept: the others expire.
local function recordDenied(m, permits)
  local all = m.settled + m.newestWeight + (m.pending > 0 and m.rare.waiting or 0) -- P, and what is pending
  permits = min(permits, m.limit.permits) -- more would change nothing
  if m.limit.flags ~= ATTEMPTS or all + permits > MOST then return false end
  grant(m, 0, permits)
  local needless = m.settled + m.newestWeight - m.limit.permits -- P of the runs without which the others still deny everything
  if not advance(m, NEVER, needless + 1) then
    rare('moveCursor')(m, NEVER, needless + 1)
  end
  m.expired = max(m.expired, m.prior)
  return true
end

-- Returns the instant from which on nothing counts.
local function expiry(m) return max(final(m), m.newest) + (m.rare and m.rare.widest or m.limit.window) end

-- Returns the state behind its expiry.
local function packedLog(m)
  local more = m.rare and rare('packRare')(m) or m.more
  local extent = m.rare and rare('isUnusual')(m) and 2 or more ~= '' and 1 or 0
  return m.front .. more .. encode(CHANGING, m.tail, '', m.newest, m.newestWeight, m.settled, m.next, m.nextWeight, m.prior, m.closed,
    m.count, m.position, #m.tail, #m.front, extent, m.now)
end

log = {
  open = open, earliest = earliest, canGrant = canGrant, grant = grant, recordDenied = recordDenied,
  remaining = remaining, resetAfter = resetAfter, packed = packedLog, expiry = expiry, encoded = encoded,
  append = append, handle = '>I7I7',
}
