-- The straight path of joint requests and of keys with several limits, see key.lua and decide.lua.
local HEADER, GRANT = '>BI4I7', 'I7I7Bc0' -- the answer if all limits grant, and what it has for each
local granted = { 1 } -- what is in that answer, see request.lua

-- Returns where the creation of each section of a key with several limits is, and what is behind the section; nothing if they are not
-- those of the limits.
local function sectionsOf(state, limits)
  if #state < 25 or state:byte() ~= FORMAT or state:byte(2) > 0 then return end
  local last, blocked, sigma = decode('>I7I7i8', state, 3)
  if last > time or blocked > time or sigma ~= 0 then return end
  local places, from, length, _ = {}, 26, 0, nil
  for n, limit in ipairs(limits) do
    if from > #state then return end
    _, _, length, from = decode('>I7BI2', state, from)
    if length < SHORTEST or state:find(limit.prefix, from, true) ~= from then return end
    places[2 * n - 1], places[2 * n], from = from + CREATED - 1, from + length, from + length
  end
  return from > #state and places
end

-- Returns the same of any key. What is behind the section of a limit without a state is not behind its creation.
local function placesOf(state, limits)
  if limits.alone then return (state == '' or state:find(limits.alone.prefix, 1, true) == 1) and { CREATED, #state + 1 } end
  if state ~= '' then return sectionsOf(state, limits) end
  local places = {}
  for n = 1, 2 * #limits do places[n] = 1 end
  return places
end

-- The two functions below grant requests of one key: as many as fit, of a number of equal ones. Arguments as for `straight`, and the place
-- of the answer. They return how many, and what is to be written, as `straight` does, but with the prefix if the state is written as a
-- whole. They return nothing if none is granted or a limit needs more.

local function changeSections(state, limits, permits, count, place)
  local parts, latest, n, places = { encode('>BBI7I7i8B', FORMAT, 0, time, 0, 0, 0) }, 0, 1, placesOf(state, limits)
  while n <= #limits do
    local limit = limits[n]
    if not places or permits > limit.burst then return end
    local at = places[2 * n - 1]
    local number, wait, remaining, reset, handle, changed, kept, millis = straight(limit, state, at, places[2 * n], permits, count, false)
    if not number or wait > 0 or reset > MOST then return end
    local section = (millis and limit.prefix or state:sub(at - CREATED + 1, kept)) .. changed
    local from = place + 4 * n - 4
    granted[from], granted[from + 1], granted[from + 2], granted[from + 3] = remaining, reset, #handle, handle
    parts[n + 1], latest = encode('>I7BI2c0', time + reset, 0, #section, section), math.max(latest, reset)
    n, count = number < count and 1 or n + 1, number
  end
  return count, table.concat(parts), nil, (keepFor(latest))
end

local function changeKey(state, limits, permits, count, place)
  local alone = limits.alone
  if not alone then return changeSections(state, limits, permits, count, place) end
  if permits > alone.burst or state ~= '' and state:find(alone.prefix, 1, true) ~= 1 then return end
  local number, wait, remaining, reset, handle, changed, kept, millis = straight(alone, state, CREATED, #state + 1, permits, count, false)
  if not number or wait > 0 or reset > MOST then return end
  granted[place], granted[place + 1], granted[place + 2], granted[place + 3] = remaining, reset, #handle, handle
  return number, millis and alone.prefix .. changed or changed, kept, millis
end

-- Grants the first of a number of equal requests, from the i-th key on; a key is written when all behind it grant. Returns how many it
-- granted, and the place behind their answer; or nothing.
--   place  that of the answer
local function grantFrom(i, claim, lists, count, place)
  local name, limits = KEYS[2 * (claim + i) - 3], lists[i]
  local state, permits, behind = call('GET', name) or '', limits.wanted, place + 4 * #limits
  local number, changed, kept, millis = changeKey(state, limits, permits, count, place)
  if not number then return end
  if i < #lists then
    count, behind = grantFrom(i + 1, claim, lists, number, behind)
    if not count then return end
    if count < number then number, changed, kept, millis = changeKey(state, limits, permits, count, place) end
  end
  if millis then
    call('SET', name, changed, 'PX', millis)
  else
    call('SETRANGE', name, texts[kept], changed)
  end
  return number, behind
end

-- Returns the status of a limit that grants nothing, and the wait until it does; nothing if that needs more.
local function statusOf(limit, state, at, behind, permits, count)
  if permits > limit.burst then return end
  local number, wait, remaining, reset = straight(limit, state, at, behind, permits, count, true)
  if not number or wait > reset or reset > MOST then return end
  return encode(STATUS, remaining, wait, reset), wait
end

-- Answers a number of equal requests that are denied, or only looked at. Returns how many, and the answer, see decide.lua; or nothing.
local function describe(claim, lists, count, patience)
  local parts, longest, attempts = {}, 0, false
  for i, limits in ipairs(lists) do
    local state = call('GET', KEYS[2 * (claim + i) - 3]) or ''
    local places = placesOf(state, limits)
    if not places then return end
    for n, limit in ipairs(limits) do
      local status, wait = statusOf(limit, state, places[2 * n - 1], places[2 * n], limits.wanted, count)
      if not status then return end
      parts[#parts + 1], longest, attempts = status, math.max(longest, wait), attempts or limit.flags == ATTEMPTS
    end
  end
  if not look and (longest <= patience or attempts) then return end
  work = work + 2 * #parts
  return count, encode(ANSWER, 2, count, longest == 0 and 1 or 0, 0, longest, time, 0) .. table.concat(parts)
end

-- Decides the first of a number of equal joint requests. Returns how many it decided, and their answer; or nothing.
--   claim, lists     the position of the first key, and the limits of each key
--   count, patience  how many they are, and the longest wait
--   at               the place of the permits for each key
local function decideJointly(claim, lists, count, patience, at)
  if lists.at ~= at then -- else these are the permits of the request before
    for i, limits in ipairs(lists) do limits.wanted = decode('>I7', groups, at + 7 * i - 7) end
    lists.at = at
  end
  if count > 1 and groups:sub(at, at + 7 * #lists - 1) ~= groups:sub(at, at + 6):rep(#lists) then count = 1 end
  if look then return describe(claim, lists, count, patience) end
  local number, behind = grantFrom(1, claim, lists, count, 4)
  if not number then return describe(claim, lists, count, patience) end
  local size = (behind - 4) / 4
  granted[2], granted[3], work, lists.answer = number, time, work + 2 * size, lists.answer or HEADER .. string.rep(GRANT, size)
  return number, encode(lists.answer, unpack(granted, 1, behind - 1))
end
