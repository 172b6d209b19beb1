-- Reports the runs of a log: a part of the family of logs in the script that inspects.

-- Returns at least `most` runs of the past that count, newest first, and whether these are all. Reads at most as many blocks as so many
-- runs need if none was refunded, and 8 more.
local function pastRuns(m, most)
  local r, from, past = m.rare, max(m.horizon, m.next - 1), {}
  if m.newest > m.horizon and m.newestWeight > 0 then
    past[1] = { m.newest, m.newestWeight, false }
  end
  local n, least = r.open, max(r.block, r.open - most / RUNS - 8)
  while n >= least and #past <= most do
    local bytes, stamp = log.runsOf(m, n)
    local runs, position, weight, _ = {}, 1, nil, nil
    while position <= #bytes do
      stamp, weight, _, position = pass(bytes, position, #bytes, stamp, 0, -1, 0)
      runs[#runs + 1] = { stamp, weight, false }
    end
    for i = #runs, 1, -1 do
      past[#past + 1] = runs[i][1] > from and runs[i] or nil
    end
    n = n - 1
  end
  return past, n < r.block
end

-- Returns the runs that count, newest first, each with its stamp, its weight and whether it is pending; and whether these are all. Of
-- the past at least `most` runs.
function log.runs(m, most)
  if not m.rare then rare('load')(m) end
  local past, all = pastRuns(m, most)
  local seen, pending, runs, i = max(log.visible(m, m.now), m.edge, m.newest), log.pendingRuns(m), {}, 1
  past[#past + 1] = { m.horizon, 0, false }
  for _, run in ipairs(past) do
    while pending[i] and pending[i][1] > run[1] do
      runs[#runs + 1], i = { pending[i][1], pending[i][2], pending[i][1] > seen }, i + 1
    end
    if run[2] > 0 and pending[i] and pending[i][1] == run[1] then
      run[2], i = run[2] + pending[i][2], i + 1
    end
    runs[#runs + 1] = run
  end
  return runs, all
end
