-- The straight path of joint requests, see decide.lua.
local changeSections, write, statusesOf, decideSection = defineSections()

-- Grants requests of one key. Arguments and results are those of `changeSections`, or one part and the number of bytes before it.
local function changeKey(state, limits, permits, count)
  local alone = limits.alone
  if not alone then return changeSections(state, limits, permits, count, false) end
  local number, _, _, wait, remaining, reset, handle, changed, kept, millis = decideSection(state, alone, true, 1, permits, count, false)
  if not number or wait > 0 then return end
  local answer = encode(GRANT, remaining, reset, #handle, handle)
  if millis then return number, { '0', alone.prefix .. changed }, nil, millis, answer end
  return number, changed, kept, nil, answer
end

-- Grants the first of a number of equal requests, from the i-th key on; a key is written when all behind it grant. Returns how many it
-- granted, and the part of the answer for these keys; or nothing.
local function grantFrom(i, keyNumber, lists, count)
  local name, limits = KEYS[2 * (keyNumber + i) - 3], lists[i]
  local state, permits, rest = call('GET', name) or '', limits.wanted, ''
  local number, changed, kept, millis, answer = changeKey(state, limits, permits, count)
  if not number then return end
  if i < #lists then
    count, rest = grantFrom(i + 1, keyNumber, lists, number)
    if not count then return end
    if count < number then number, changed, kept, millis, answer = changeKey(state, limits, permits, count) end
  end
  write(name, changed, kept, millis)
  return number, answer .. rest
end

-- Answers a number of equal requests that are denied, or only peek. Returns how many, and the answer, see decide.lua; or nothing.
local function describe(keyNumber, lists, count, maxWait)
  local parts, longest, attempts = {}, 0, false
  for i, limits in ipairs(lists) do
    local statuses, wait, counted = statusesOf(call('GET', KEYS[2 * (keyNumber + i) - 3]) or '', limits, limits.wanted, count)
    if not statuses then return end
    parts[i], longest, attempts = statuses, math.max(longest, wait), attempts or counted
  end
  if not peek and (longest <= maxWait or attempts) then return end
  work = work + 2 * lists.size
  return count, encode(ANSWER, 2, count, longest == 0 and 1 or 0, 0, longest, time, 0) .. table.concat(parts)
end

-- Decides the first of a number of equal joint requests. Returns how many it decided, and their answer; or nothing.
--   keyNumber, lists  the position of the first key, and the limits of each key
--   count, maxWait    how many they are, and the longest wait
--   at                the place of the permits for each key
local function decideJointly(keyNumber, lists, count, maxWait, at)
  if lists.at ~= at then -- else these are the permits of the request before
    for i, limits in ipairs(lists) do limits.wanted = decode('>I7', groups, at + 7 * i - 7) end
    lists.at = at
  end
  if count > 1 and groups:sub(at, at + 7 * #lists - 1) ~= groups:sub(at, at + 6):rep(#lists) then count = 1 end
  if peek then return describe(keyNumber, lists, count, maxWait) end
  local number, answer = grantFrom(1, keyNumber, lists, count)
  if not number then return describe(keyNumber, lists, count, maxWait) end
  work = work + 2 * lists.size
  return number, encode(HEADER, 1, number, time) .. answer
end
