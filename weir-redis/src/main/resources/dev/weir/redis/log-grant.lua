-- What changes a log and writes it.

-- Puts a run into the tail, and moves the cursor behind it if it was at the newest run.
local function push(m, stamp, weight)
  local code, atEnd = encoded(stamp - m.closed, weight), m.next == m.newest
  if m.count == RUNS or #m.tail + #code > TAIL then
    rare('seal')(m)
    code = encoded(stamp - m.closed, weight)
  end
  m.tail, m.count, m.closed, m.settled = m.tail .. code, m.count + 1, stamp, m.settled + weight
  if atEnd then
    m.next, m.nextWeight, m.position = stamp, weight, #m.tail + 1
  end
end

-- Adds weight to the past: to the newest run, as a new one behind it, or as one before it. If there is no room before the end of the
-- tail, the weight counts from that on.
local function append(m, stamp, weight)
  if m.rare then
    m.rare.edge = max(m.rare.edge, stamp)
  end
  if stamp == m.newest then
    m.newestWeight = m.newestWeight + weight
    m.nextWeight = m.nextWeight + (m.next == stamp and weight or 0)
    return
  elseif m.closed == 0 or stamp <= m.closed then
    if m.rare and log.insertPast(m, stamp, weight) then return end
    if m.tail == '' and not (m.rare and m.rare.first < m.rare.open) then -- there is nothing before the newest run
      m.closed = min(stamp, m.created)
      if m.rare then
        m.rare.opened = m.closed
      end
    end
    stamp = max(stamp, m.closed)
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
  local now, tick = m.now, m.limit.tick
  local stamp
  if m.limit.flags == CLASSIC then
    local past = m.newestWeight > 0 and m.newest or m.settled > m.prior and rare('newestOfPast')(m) or 0
    stamp = max(now + wait - (now + wait) % tick, past, m.rare and m.rare.forgotten + 1 or 0)
  else
    stamp = wait > 0 and now + wait or max(now + (-now % tick), m.rare and m.rare.edge or m.newest)
  end
  m.changed = true
  if wait > 0 or m.rare and m.rare.pending > 0 then
    rare('grantAmongPending')(m, stamp, permits, wait == 0)
  else
    append(m, stamp, permits)
  end
  return encode('>I7I7', m.created, m.limit.flags == ATTEMPTS and 0 or stamp)
end

-- Records a denied attempt if attempts count: whether it did. Only the newest attempts that can decide are kept: the others expire.
local function recordDenied(m, permits)
  if m.limit.flags ~= ATTEMPTS or permits > m.limit.permits then return false end
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

-- Returns the state without its prefix.
local function packedLog(m)
  local more = m.rare and rare('packRare')(m) or m.long and m.section:sub(RARE_AT) or ''
  local unusual = m.rare and rare('isUnusual')(m) and 256 or 0
  local state = encode('>I7I7', m.created, m.expires) .. encode(CHANGING, m.now, m.newest, m.newestWeight, m.settled, m.next, m.nextWeight,
    m.prior, m.closed, m.count, m.position, #m.tail, #m.front + unusual, m.tail, '')
  if m.front ~= '' or more ~= '' then
    state = state .. string.rep('\0', ROOM - #m.tail) .. m.front
  end
  return more == '' and state or state .. string.rep('\0', ROOM - #m.front) .. more
end

log = {
  open = open, earliest = earliest, canGrant = canGrant, grant = grant, recordDenied = recordDenied,
  remaining = remaining, resetAfter = resetAfter, packed = packedLog, expiry = expiry, encoded = encoded,
  append = append, handle = '>I7I7',
}
