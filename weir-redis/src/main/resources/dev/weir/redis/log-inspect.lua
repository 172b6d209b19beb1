-- Reports the runs of a log: a part of the family of logs in the script that inspects.

-- Returns at least `most` runs of the past that count, newest first, each as its stamp and its weight; and whether these are all. Reads at
-- most as many blocks as so many runs need if none was refunded, and 8 more.
local function pastRuns(m, most)
  local r, from, past = m.rare, max(m.horizon, m.next - 1), {}
  if m.newest > m.horizon and m.newestWeight > 0 then
    past[1], past[2] = m.newest, m.newestWeight
  end
  local n, least = r.open, max(r.block, r.open - most / RUNS - 8)
  while n >= least and #past <= 2 * most do
    local bytes, stamp = log.runsOf(m, n)
    local runs, position, weight, _ = {}, 1, nil, nil
    while position <= #bytes do
      stamp, weight, _, position = pass(bytes, position, #bytes, stamp, 0, -1, 0)
      runs[#runs + 1], runs[#runs + 2] = stamp, weight
    end
    for i = #runs - 1, 1, -2 do
      if runs[i] > from then
        past[#past + 1], past[#past + 2] = runs[i], runs[i + 1]
      end
    end
    n = n - 1
  end
  return past, n < r.block
end

-- Returns the runs that count and those that are pending, newest first, each as its stamp and its weight; and whether these are all. Of
-- the past at least `most` runs.
function log.runs(m, most)
  if not m.rare then rare('load')(m) end
  local past, all = pastRuns(m, most)
  local seen, reserved, counted, pending, i, j = max(log.visible(m, m.now), m.edge, m.newest), log.pendingRuns(m), {}, {}, 1, 1
  while (reserved[i] or 0) > seen do
    pending[i], pending[i + 1], i = reserved[i], reserved[i + 1], i + 2
  end
  while past[j] or reserved[i] do
    local stamp, weight = max(past[j] or 0, reserved[i] or 0), 0
    if past[j] == stamp then weight, j = past[j + 1], j + 2 end
    if reserved[i] == stamp then weight, i = weight + reserved[i + 1], i + 2 end
    if stamp > m.horizon then
      counted[#counted + 1], counted[#counted + 2] = stamp, weight
    end
  end
  return counted, pending, all
end
