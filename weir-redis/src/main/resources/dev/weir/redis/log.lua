-- The rules of a log: what decides if nothing is pending. See log-head.lua for its state.
local log, defineRareLog

-- Moves the cursor, the run `next`, to the first run with a stamp after `latest` or with P >= `enough`, but not beyond the newest
-- one. Returns false, and moves nothing, if that is in another block.
local function advance(m, latest, enough)
  if m.next > latest or m.next == m.newest or m.prior + m.nextWeight >= enough then return true end
  local bytes = m.front == '' and m.tail or m.front
  local stamp, weight, sum, behind = pass(bytes, m.position, #bytes, m.next, m.prior + m.nextWeight, latest, enough)
  if not stamp and m.front ~= '' then return false end
  if sum + weight > m.settled + m.newestWeight then damaged() end
  m.prior, m.next, m.nextWeight, m.position = sum, stamp or m.newest, stamp and weight or m.newestWeight, behind
  return true
end

-- Returns a function that few calls need, see log-rare.lua and log-pending.lua.
local function rare(name)
  if not log.seek then
    defineRareLog()
  end
  return log[name]
end

-- Reads a state, without deciding whether it suffices.
local function read(section, limit, now, blocks, shared)
  local created, newest, newestWeight, settled, next, nextWeight, prior, closed, _ = now, 0, 0, 0, 0, 0, 0, 0, nil
  local expires, count, position, size, shape, tail, front = 0, 0, 1, 0, 0, '', ''
  if section then
    created, expires, _, newest, newestWeight, settled, next, nextWeight, prior, closed, count, position, size, shape =
      headOf(section, CREATED, #section + 1)
    if next > newest or prior + nextWeight > checked(settled + newestWeight) or closed > newest then damaged() end
    tail, front = section:sub(BYTES, BYTES + size - 1), section:sub(BYTES + ROOM, BYTES + ROOM + shape % 256 - 1)
  end
  return {
    limit = limit, blocks = blocks, shared = shared, section = section, now = now, created = created,
    newest = newest, newestWeight = newestWeight, settled = settled, next = next, nextWeight = nextWeight, prior = prior,
    expired = prior, closed = closed, expires = expires, count = count, position = position, tail = tail, front = front,
    unusual = shape > 255, long = section and #section >= RARE_AT, rare = false, changed = false, unlink = false,
  }
end

-- Opens a log.
--   section  its state, or nil; shared: whether other limits use the hash `blocks`, too
--   limit    see limit.lua; changed: whether its window may differ from that of the state
--   now      the time of the request, not before that of the state
local function open(section, limit, now, blocks, shared, changed)
  local m = read(section, limit, now, blocks, shared)
  if not section then return m end
  local horizon, simple = now - limit.window, not (m.unusual or changed)
  local empty = m.newest <= horizon
  if simple and not empty then
    simple = advance(m, horizon, NEVER)
    m.expired, empty = m.prior, m.settled + m.newestWeight == m.prior
    if simple and not empty and m.settled + m.newestWeight + limit.permits <= MOST then return m end
  end
  if (not simple or shared and m.long) and rare('prepare')(m, changed) then return m end
  local fresh = read(nil, limit, now, blocks, shared) -- nothing counts
  fresh.unlink = m.long
  if simple and not empty then
    local counted = m.settled + m.newestWeight - m.prior -- P is too large: what counts does so as one run
    log.append(fresh, m.newest, limit.flags == ATTEMPTS and min(counted, limit.permits) or counted)
    fresh.changed = true
  end
  return fresh
end

-- Returns the least wait of `from` or longer after which the permits fit; NEVER if they never do.
local function earliest(m, from, permits)
  local most = m.limit.permits
  if permits > most then
    return NEVER
  elseif m.rare and m.rare.pending > 0 then
    return rare('search')(m, from, permits)
  end
  local needed = m.settled + m.newestWeight - most + permits -- P of what must have expired
  if needed <= m.expired then return from end
  local stamp = m.prior + m.nextWeight >= needed and m.next or rare('reached')(m, needed)
  return max(from, stamp + m.limit.window - m.now)
end

local function remaining(m)
  local counted = m.settled + m.newestWeight - m.expired
  if m.rare and m.rare.pending > 0 then
    counted = rare('peak')(m)
  end
  return max(0, m.limit.permits - counted)
end

-- Returns the stamp of the newest run that has weight, pending ones included; 0 if there is none.
local function final(m)
  if m.rare then return rare('finalStamp')(m) end
  return m.newest
end

local function resetAfter(m) return max(0, final(m) + m.limit.window - m.now) end
