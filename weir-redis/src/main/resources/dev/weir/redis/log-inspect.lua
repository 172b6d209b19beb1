-- Reports the runs of a log: a part of the family of logs in the script that inspects.

-- Visits the runs of some bytes that are after an instant, newest first. `stamp` is that before the first. Returns whether all are
-- after the instant and were visited, and whether the visitor continues.
local function visitBytes(bytes, stamp, from, visit)
  local runs, position, weight, _ = {}, 1, nil, nil
  while position <= #bytes do
    stamp, weight, _, position = pass(bytes, position, #bytes, stamp, 0, -1, 0)
    runs[#runs + 1] = { stamp, weight }
  end
  for n = #runs, 1, -1 do
    if runs[n][1] <= from then
      return false, true
    elseif not visit(runs[n][1], runs[n][2]) then
      return false, false
    end
  end
  return true, true
end

-- Visits the runs of the past that count, newest first. Reads at most as many blocks as `most` runs need if none was refunded, and 8
-- more. Returns whether all have been visited.
local function eachPast(m, most, visit)
  local r, from, n, blocks = m.rare, max(m.horizon, m.next - 1), m.rare.open - 1, most / 128 + 8
  if m.newest > m.horizon and not visit(m.newest, m.newestWeight) then return false end
  local inside, goesOn = visitBytes(m.tail, r.opened, from, visit)
  while inside and n >= r.block and r.block < r.open and blocks > 0 do
    local packed = log.field(m, n)
    inside, goesOn = visitBytes(packed:sub(8), decode('>I7', packed), from, visit)
    n, blocks = n - 1, blocks - 1
  end
  return goesOn ~= false and (not inside or blocks > 0)
end

-- Visits the runs that count, with whether they are pending, newest first, until `add` returns false. Returns whether all have been
-- visited.
function log.eachRun(m, add, most)
  local r = m.rare or rare('load')(m)
  local seen, list, i = max(log.visible(m, m.now), r.edge, m.newest), log.pendingRuns(m), 1
  local function visit(stamp, weight)
    while list[i] and list[i][1] > stamp do
      if list[i][1] > m.horizon and not add(list[i][1], list[i][2], list[i][1] > seen) then return false end
      i = i + 1
    end
    if list[i] and list[i][1] == stamp then
      weight, i = weight + list[i][2], i + 1
    end
    return add(stamp, weight, false)
  end
  return eachPast(m, most, visit) and (not list[i] or visit(m.horizon, 0))
end
