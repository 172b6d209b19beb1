-- Refunds permits of a log: a part of the family of logs in the script that refunds.

-- Reduces the weight of the block n in the tree.
local function reduceNodes(m, n, weight)
  local child, level = n, 1
  while true do
    local name = level .. ':' .. floor(child / FANOUT)
    local packed, i = log.find(m, name) or '', child % FANOUT
    if i >= #packed / 14 then
      return -- the nodes above do not have this one yet
    end
    local parts = { packed:sub(1, 14 * i) }
    for at = 14 * i + 1, #packed, 14 do
      local stamp, sum = decode('>I7I7', packed, at)
      parts[#parts + 1] = encode('>I7I7', stamp, sum - weight)
    end
    log.put(m, name, table.concat(parts))
    child, level = floor(child / FANOUT), level + 1
  end
end

-- Takes weight from a run of the past. Returns whether it has as much.
local function takePast(m, stamp, weight)
  local r = m.rare
  if stamp == m.newest then
    local enough = m.newestWeight >= weight
    m.newestWeight = m.newestWeight - (enough and weight or 0)
    return enough
  end
  local there, before, _, behind, position, previous, n, bytes = log.seek(m, stamp - 1, NEVER)
  if there ~= stamp or before < weight then return false end
  local rest = bytes:sub(1, position - 1)
  if before > weight then
    rest = rest .. log.encoded(stamp - previous, before - weight) .. bytes:sub(behind)
  elseif behind <= #bytes then
    local following, heavy, _, last = pass(bytes, behind, #bytes, stamp, 0, 0, NEVER)
    rest = rest .. log.encoded(following - previous, heavy) .. bytes:sub(last)
  elseif n == r.open then
    m.closed = previous
  end
  m.settled, r.sums = m.settled - weight, {}
  if n == r.open then
    m.tail, m.count = rest, before > weight and m.count or m.count - 1
  else
    r.sealed = r.sealed - weight
    log.put(m, n, log.field(m, n):sub(1, 7) .. rest)
    reduceNodes(m, n, weight)
  end
  return true
end

-- Refunds permits that were granted at a stamp: those of the newest run first, then pending ones.
function log.refund(m, permits, _, created, stamp)
  if m.created ~= created then return end
  local r = m.rare or rare('load')(m)
  if stamp + r.widest <= m.now or stamp <= m.forgotten then return end
  local part = stamp == m.newest and min(m.newestWeight, permits) or 0
  if m.pending > 0 and part < permits and log.take(m, stamp, permits - part) then
    m.newestWeight = m.newestWeight - part
    log.raise(m, stamp, -part)
  elseif takePast(m, stamp, permits) then
    log.raise(m, stamp, -permits)
  else
    return
  end
  log.moveCursor(m, m.horizon, NEVER)
  r.fullUntil, m.changed = 0, true
end
