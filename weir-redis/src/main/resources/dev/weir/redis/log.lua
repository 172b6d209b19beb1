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
local function read(section, limit, now, blocks)
  local created, expires, newest, newestWeight, settled, next, nextWeight, prior, closed, count, position, size, front, extent =
    headOf(section, CREATED, #section + 1, now)
  if next > newest or prior + nextWeight > checked(settled + newestWeight) or closed > newest then damaged() end
  local more = extent > 0 and section:sub(FRONT + front, FRONT + front + RARE_SIZE - 1) or ''
  if #section > SHORTEST and FRONT + front + #more + size + HEAD_SIZE ~= #section + 1 then damaged() end
  return {
    limit = limit, blocks = blocks, now = now, created = created,
    newest = newest, newestWeight = newestWeight, settled = settled, next = next, nextWeight = nextWeight, prior = prior,
    expired = prior, closed = closed, expires = expires, count = count, position = position,
    tail = section:sub(-HEAD_SIZE - size, -HEAD_SIZE - 1), front = section:sub(FRONT, FRONT + front - 1), more = more,
    unusual = extent > 1, long = extent > 0, changed = false,
    rare = false, pending = 0, edge = newest, forgotten = -1, -- see log-rare.lua
  }
end

-- Returns a log instead of another one, in which a weight counts at the stamp of its newest run; 0 if nothing counts.
local function restarted(m, counted)
  local fresh = read('', m.limit, m.now, m.blocks)
  if counted > 0 then
    log.append(fresh, m.newest, m.limit.flags == ATTEMPTS and min(counted, m.limit.permits) or counted)
    fresh.changed = true
  end
  return fresh
end

-- Opens a log.
--   section  its state, or an empty string; blocks: the name of the hash
--   limit    see limit.lua; changed: the window of the state if its prefix differs from that of the limit, else false
--   now      the time of the request, not before that of the state
local function open(section, limit, now, blocks, changed)
  local m, horizon = read(section, limit, now, blocks), now - limit.window
  if section == '' then return m end
  local simple, all = not (m.unusual or changed), m.settled + m.newestWeight
  if simple and m.newest > horizon then
    simple = advance(m, horizon, NEVER)
    m.expired = m.prior
    if simple and m.expired < all and all + limit.permits <= MOST then return m end -- else P is too large
  end
  if (not simple or m.long) and rare('prepare')(m, changed) then return m end
  return restarted(m, m.newest > horizon and m.settled + m.newestWeight - m.expired or 0)
end

-- Returns the least wait of `from` or longer after which the permits fit; NEVER if they never do.
local function earliest(m, from, permits)
  local most = m.limit.permits
  if permits > most then
    return NEVER
  elseif m.pending > 0 or m.rare and m.rare.widest > m.limit.window and m.settled + m.newestWeight + most > MOST then
    return rare('search')(m, from, permits)
  end
  local needed = m.settled + m.newestWeight - most + permits -- P of what must have expired
  if needed <= m.expired then return from end
  local stamp = m.prior + m.nextWeight >= needed and m.next or rare('reached')(m, needed)
  return max(from, stamp + m.limit.window - m.now)
end

local function remaining(m)
  local counted = m.pending > 0 and rare('peak')(m) or m.settled + m.newestWeight - m.expired
  return max(0, m.limit.permits - counted)
end

-- Returns the stamp of the newest run of the past that has weight and counts, 0 if there is none.
local function newestOfPast(m)
  if m.newestWeight > 0 then return m.newest end
  return m.settled > m.prior and rare('reached')(m, m.settled) or 0
end

-- Returns the stamp of the newest run that has weight, pending ones included; 0 if there is none.
local function final(m)
  if m.rare then return rare('finalStamp')(m) end
  return m.newest
end

local function resetAfter(m) return max(0, final(m) + m.limit.window - m.now) end
