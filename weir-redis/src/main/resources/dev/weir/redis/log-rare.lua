-- The blocks of a long log, changed limits, and the parts of a log beyond its head. Part of the family of logs; defined when a call
-- needs it.
--
-- RARE in the state: the number of pending reservations; tick and flags under which they were counted; the widest window
-- that runs may count in; edge: the latest stamp of a grant at once; forgotten: runs up to this stamp count in no window; the
-- first block, the open one (the tail) and the one with the run `next`; the stamp before the tail, and P there; of pending
-- reservations the full stretch, the weight and the last stamp, see log-pending.lua; and P before block 0.
--
-- The hash has a field for each block: a full tail with the stamp before it, unchanged. Above the blocks is a tree of FANOUT
-- children a node, `level:number`: of each child the last stamp, and the weight up to there within the node. Blocks that no window
-- can reach are dropped at the left.
local FANOUT = 64 -- children of a node
local DROPPED, MATURED = 64, 8 -- blocks dropped and reservations moved to the past in a script; then one of each log in each call
local dropped, matured = 0, 0
local RARE = '>I2I7BI7I7I7I6I6I6I7I7I7I7I7I7I7I7'

-- Loads RARE, see above, into m and m.rare. `window` is the window under which the state was written, if it differs from that of the limit.
local function load(m, window)
  local r = {
    tick = m.limit.tick, flags = m.limit.flags, widest = window or m.limit.window,
    first = 0, open = 0, block = 0, opened = 0, sealed = 0, fullRoom = 0, fullFrom = 0, fullUntil = 0, waiting = 0,
    latest = 0, name = encode('B', m.limit.kind) .. m.limit.prefix:sub(10, 12), fields = {}, changes = {}, groups = false, sums = {},
  }
  m.rare = r
  if m.long then
    m.pending, r.tick, r.flags, r.widest, m.edge, m.forgotten, r.first, r.open, r.block, r.opened, r.sealed,
      r.fullRoom, r.fullFrom, r.fullUntil, r.waiting, r.latest, r.base = decode(RARE, m.more)
    if m.forgotten >= m.now or r.sealed > m.settled then damaged() end
    if r.first == r.open then
      r.first, r.open, r.block, r.base = 0, 0, 0, r.sealed -- without blocks, they are numbered anew: the tree may be lost
    end
  else
    local _, _, weight, _, _, distance = pass(m.tail, 1, #m.tail, 0, 0, NEVER, NEVER)
    r.opened, r.sealed = m.closed - distance, m.settled - weight
    r.base = r.sealed
  end
  m.forgotten = max(0, m.forgotten, not m.unusual and m.prior > 0 and min(m.next, m.now) - 1 or 0) -- no wider window counts runs before the cursor
  m.edge = max(m.edge, m.newest)
  m.horizon = max(m.now - m.limit.window, m.forgotten)
  if r.first < r.open and not log.find(m, r.open - 1) or m.pending > 0 and not log.find(m, 'q') then
    log.restoreLost(m, window or m.limit.window)
  end
  return r
end

-- Returns RARE; an empty string if each part has its default.
function log.packRare(m)
  local r = m.rare
  log.putGroups(m)
  log.drop(m)
  if not log.isUnusual(m) and r.first == r.open then return '' end
  return encode(RARE, m.pending, r.tick, r.flags, r.widest, m.edge, m.forgotten, r.first, r.open, r.block, r.opened,
    r.sealed, r.fullRoom, r.fullFrom, r.fullUntil, r.waiting, r.latest, r.base)
end

-- Returns whether decisions need more than the head of the state, or blocks are still to be dropped.
function log.isUnusual(m)
  local r = m.rare
  return m.pending > 0 or r.widest ~= m.limit.window or m.forgotten >= m.next or m.edge > m.newest or m.newestWeight == 0 or r.first < r.block
end

-- Returns a field of the hash; nil if it is missing.
function log.find(m, name)
  local fields = m.rare.fields
  if fields[name] == nil then fields[name] = call('HGET', hashOf(m), m.rare.name .. name) end
  return fields[name] or nil
end

-- Returns a field that must be there.
function log.field(m, name) return log.find(m, name) or error('WEIR state is damaged: a part is missing') end

-- Sets a field; nil deletes it.
function log.put(m, name, value) m.rare.fields[name], m.rare.changes[name] = value or false, value or false end

-- Writes the fields that changed.
function log.saveBlocks(m)
  for name, value in pairs(m.rare.changes) do
    if value then
      call('HSET', hashOf(m), m.rare.name .. name, value)
    else
      call('HDEL', hashOf(m), m.rare.name .. name)
    end
  end
end

-- Returns the block with the first run after `latest` or with the first P >= `enough`, and P before it. At most 6 binary searches.
local function descend(m, latest, enough)
  local r, span, level, node = m.rare, 1, 1, 0
  local sum = r.base
  while span * FANOUT < r.open do span, level = span * FANOUT, level + 1 end
  while level > 0 do
    local packed = log.field(m, level .. ':' .. node)
    local high = #packed / 14
    local low = min(high, max(0, floor(r.first / span) - node * FANOUT))
    while low < high do
      local middle = floor((low + high) / 2)
      local stamp, there = decode('>I7I7', packed, 14 * middle + 1)
      if stamp > latest or sum + there >= enough then
        high = middle
      else
        low = middle + 1
      end
    end
    if low > 0 then
      sum = sum + decode('>I7', packed, 14 * low - 6)
    end
    node, level, span = node * FANOUT + low, level - 1, span / FANOUT
  end
  return node, sum
end

-- Returns the runs of a block in their bytes, and the stamp before them.
function log.runsOf(m, n)
  if n == m.rare.open then return m.tail, m.rare.opened end
  local packed = log.field(m, n)
  return packed:sub(8), (decode('>I7', packed))
end

-- Finds the first run of the past before the newest one with a stamp after `latest`, or with P >= `enough`.
-- Returns what `pass` does; and the number of its block, the open one if there is no such run, and the bytes of that.
function log.seek(m, latest, enough)
  local r = m.rare
  local n, sum = r.open, r.sealed
  if r.first < r.open and latest < r.opened or enough <= r.sealed then
    n, sum = descend(m, latest, enough)
  end
  while true do
    local bytes, from = log.runsOf(m, n)
    local stamp, weight, before, behind, position, previous = pass(bytes, 1, #bytes, from, sum, latest, enough)
    if (stamp or 0) > m.newest or before + weight > m.settled then damaged() end
    if stamp or n == r.open then return stamp, weight, before, behind, position, previous, n, bytes end
    n, sum = n + 1, before -- the last runs of this block were refunded
  end
end

-- Moves the cursor as `advance` does, to any block.
function log.moveCursor(m, latest, enough)
  local r = m.rare or load(m)
  local stamp, weight, sum, behind, _, _, n, bytes = log.seek(m, latest, enough)
  m.next, m.nextWeight = stamp or m.newest, stamp and weight or m.newestWeight
  m.prior, m.position, r.block, m.front = sum, behind, n, n < r.open and bytes or ''
end

-- Returns P(instant) of the past.
function log.weightAt(m, instant)
  local x = max(instant, m.forgotten)
  if x >= m.newest then
    return m.settled + m.newestWeight
  elseif x >= m.closed then
    return m.settled
  elseif x < m.next and x >= m.horizon then
    return m.prior
  end
  local sums, sum, _ = m.rare.sums, m.rare.sums[x], nil -- later runs do not change P here
  if not sum then
    _, _, sum = log.seek(m, x, NEVER)
    sums[x] = sum
  end
  return sum
end

-- Returns the least stamp of the past at which P >= `enough`.
function log.reached(m, enough)
  if enough > m.settled then return m.newest end
  m.rare = m.rare or load(m)
  return (log.seek(m, NEVER, enough))
end

-- Adds weight to the tail, at or before the stamp of its last run. Returns whether there is room.
function log.insertPast(m, stamp, weight)
  local r = m.rare
  if stamp < r.opened or stamp == r.opened and r.first < r.open or m.tail == '' or m.count >= RUNS or #m.tail + 29 > 255 then return false end
  local there, before, _, behind, position, previous = log.seek(m, stamp - 1, NEVER)
  local rest = there == stamp and log.encoded(stamp - previous, before + weight)
    or log.encoded(stamp - previous, weight) .. log.encoded(there - stamp, before)
  m.tail, m.count = m.tail:sub(1, position - 1) .. rest .. m.tail:sub(behind), there == stamp and m.count or m.count + 1
  m.settled, r.sums = m.settled + weight, {}
  log.moveCursor(m, m.horizon, NEVER)
  return true
end

-- Puts the full tail into a block.
function log.seal(m)
  local r = m.rare or load(m)
  log.put(m, r.open, encode('>I7', r.opened) .. m.tail)
  local child, level, weight = r.open, 1, m.settled - r.sealed
  while true do
    local node = level .. ':' .. floor(child / FANOUT)
    local packed = child % FANOUT > 0 and log.field(m, node) or ''
    if packed ~= '' then
      weight = weight + decode('>I7', packed, #packed - 6)
    end
    log.put(m, node, packed .. encode('>I7I7', m.closed, weight))
    if child % FANOUT < FANOUT - 1 then break end
    child, level = floor(child / FANOUT), level + 1
  end
  if m.front == '' and m.next == m.newest then
    r.block = r.open + 1
  elseif m.front == '' then
    m.front = m.tail
  end
  r.open, r.opened, r.sealed, m.tail, m.count = r.open + 1, m.closed, m.settled, '', 0
end

-- Deletes blocks that no window can reach, a bounded number.
function log.drop(m)
  local r, reachable = m.rare, m.rare.block
  if r.first < reachable and r.widest > m.limit.window then
    reachable = select(7, log.seek(m, max(m.now - r.widest, m.forgotten), NEVER))
  end
  local to = min(reachable, r.first + max(1, DROPPED - dropped))
  dropped = dropped + max(0, to - r.first)
  for n = r.first, to - 1 do
    log.put(m, n, nil)
    local child, level = n, 1
    while child % FANOUT == FANOUT - 1 do
      child = floor(child / FANOUT)
      log.put(m, level .. ':' .. child, nil)
      level = level + 1
    end
  end
  r.first = max(r.first, to)
end

-- Replaces the parts of an evicted hash. Its runs count as if all had the stamp before the tail, and its reservations as if all had the
-- stamp of the last one and counted from now on: so they count for too long, never for too short a time.
--   window  under which the state was written
function log.restoreLost(m, window)
  local r = m.rare
  local wider = r.first < r.open and r.widest > window -- then what has expired may count again
  local expired = wider and r.base or m.prior
  local weight = (wider or r.block < r.open) and r.sealed - expired or 0
  if weight > 0 then
    local code = log.encoded(0, weight)
    m.tail, m.count, m.front, r.sealed, m.prior = code .. m.tail, m.count + 1, '', expired, expired
    m.next, m.nextWeight, m.position = r.opened, weight, #code + 1
  end
  r.first, r.open, r.block, r.base, r.fields = 0, 0, 0, r.sealed, {}
  if m.pending > 0 then
    m.pending, r.fullUntil = 0, 0
    log.append(m, r.latest, r.waiting)
    r.waiting = 0
  end
  m.changed = true
end

-- Returns whether no run counts in any window, now or after a change.
local function isEmpty(m)
  local r = m.rare
  if m.pending > 0 then return max(r.latest, m.newest) + r.widest <= m.now end
  local all = m.settled + m.newestWeight
  return m.newest + r.widest <= m.now or all == log.weightAt(m, m.now - r.widest)
end

-- Continues under a changed limit: the remaining runs count in the new window at once.
--   changed  whether its window, or whether attempts count, may have changed
local function adopt(m, changed)
  local r, limit = m.rare, m.limit
  local isCounted = m.pending == 0 or r.tick == limit.tick and r.flags == limit.flags
  if isCounted and not changed then return end
  if limit.flags == ATTEMPTS then m.created = max(m.now, m.created + 1) end -- earlier reservations can no longer be refunded
  if limit.window > r.widest then
    m.forgotten, r.widest = max(m.forgotten, m.now - r.widest), limit.window
  end
  log.recountLater(m)
  r.tick, r.flags, r.fullUntil, m.changed = limit.tick, limit.flags, 0, true
end

-- Prepares a log for decisions if its head does not suffice. Returns false if it must be restarted: all runs have expired, or P is too
-- large. While reservations are pending, or a longer window may count more, no permits are added to a P that is too large.
--   changed  as for open
function log.prepare(m, changed)
  local r, limit = load(m, changed), m.limit
  m.horizon = max(m.now - (changed or limit.window), m.forgotten)
  if isEmpty(m) then
    m.expired = m.settled + m.newestWeight
    if r.first == r.open then return false end
    m.forgotten, r.widest = max(m.forgotten, m.now - r.widest), limit.window
  end
  matured = matured + log.mature(m, m.now, max(m.pending > MAX_PENDING and MATURED or 1, MATURED - matured))
  adopt(m, changed)
  m.horizon = max(m.now - limit.window, m.forgotten)
  if changed or not advance(m, m.horizon, NEVER) then
    log.moveCursor(m, m.horizon, NEVER)
  end
  m.expired = m.newest <= m.horizon and m.settled + m.newestWeight or m.prior
  log.recount(m)
  return m.pending > 0 or r.widest > limit.window or m.settled + m.newestWeight + limit.permits <= MOST
end

-- Counts all pending reservations from now on, because the clock of the server was set back.
function log.countAll(m) if m.pending > 0 then log.mature(m, NEVER, NEVER) end end

log.load = load
