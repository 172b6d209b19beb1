-- The straight path of joint requests and of keys with several limits, see key.lua and decide.lua.
-- Of a request: the states of its keys, what `straight` returns for each of its limits, and what is in the answer if all of them grant,
-- see request.lua. Then how many limits are decided; how many of the equal requests they decide, their longest wait, and whether one counts
-- attempts.
local HEADER, GRANT = '>BI4I7', 'I7I7Bc0' -- the answer, and what it has for each limit
local states, changes, places, lives, waits, granted = {}, {}, {}, {}, {}, { 1 }
local size, least, longest, attempts = 0, 0, 0, false

-- Decides a limit, see straight.lua. Returns false if that needs more.
local function decideLimit(limit, state, at, behind, permits, count, dry)
  if permits > limit.burst then return false end
  local number, wait, remaining, reset, handle, changed, kept, millis = straight(limit, state, at, behind, permits, count, dry)
  if not number or wait > reset or reset > MOST then return false end
  local n, place, answer = size + 1, 4 * size + 4, granted
  handle, size, changes[n], places[n], lives[n], waits[n] = handle or '', n, changed, kept, millis, wait
  answer[place], answer[place + 1], answer[place + 2], answer[place + 3] = remaining, reset, #handle, handle
  if number < least then least = number end
  if wait > longest then longest = wait end
  attempts = attempts or limit.flags == ATTEMPTS
  return true
end

-- Decides the limits of a key that has several. Returns false if one needs more, or if the key has limits that the request does not have.
local function decideSections(state, limits, permits, count, dry)
  if #state < 25 or state:byte() ~= FORMAT or state:byte(2) > 0 then return false end
  local last, blocked, sigma = decode('>I7I7i8', state, 3)
  if last > time or blocked > time or sigma ~= 0 then return false end
  local from, length, _ = 26, 0, nil
  for n = 1, #limits do
    if from > #state then return false end
    _, _, length, from = decode('>I7BI2', state, from)
    if length < SHORTEST or state:find(limits[n].prefix, from, true) ~= from then return false end
    if not decideLimit(limits[n], state, from + CREATED - 1, from + length, permits, count, dry) then return false end
    from = from + length
  end
  return from > #state
end

-- Decides the limits of a key. Returns false if that needs more.
local function decideKey(state, limits, permits, count, dry)
  local alone = limits.alone
  if alone then
    return (state == '' or state:find(alone.prefix, 1, true) == 1) and decideLimit(alone, state, CREATED, #state + 1, permits, count, dry)
  elseif state ~= '' then
    return decideSections(state, limits, permits, count, dry)
  end
  for n = 1, #limits do
    if not decideLimit(limits[n], '', 1, 1, permits, count, dry) then return false end
  end
  return true
end

-- Decides a number of equal requests. Returns how many of them are decided, and the longest wait; or nothing.
--   permits  those for the first key
--   at       the place of those for each key
--   again    whether the states are those of the same keys
local function decideEach(claim, lists, permits, at, count, dry, again)
  size, least, longest, attempts = 0, count, 0, false
  for i = 1, #lists do
    local state = again and states[i] or call('GET', KEYS[2 * (claim + i) - 3]) or ''
    states[i] = state
    if not decideKey(state, lists[i], i == 1 and permits or decode('>I7', groups, at + 7 * i - 7), count, dry) then return end
  end
  return least, longest
end

-- Writes a key with several limits, the first of which is the first-th of the request.
local function writeSections(name, state, limits, first)
  local parts, latest, from = { encode('>BBI7I7i8B', FORMAT, 0, time, 0, 0, 0) }, 0, 26
  for n, limit in ipairs(limits) do
    local i, expiry, length, _ = first + n - 1, granted[4 * (first + n) - 3], 0, nil
    if state ~= '' then
      _, _, length, from = decode('>I7BI2', state, from)
    end
    local section = (lives[i] and limit.prefix or state:sub(from, places[i])) .. changes[i]
    latest, from = math.max(latest, expiry), from + length
    parts[n + 1] = encode('>I7BI2c0', time + expiry, 0, #section, section)
  end
  call('SET', name, table.concat(parts), 'PX', (keepFor(latest)))
end

-- Writes the keys of a request that is granted, the first of which is the claim-th of the script.
local function writeAll(claim, lists)
  local first = 1
  for i = 1, #lists do
    local name, limits, changed, millis = KEYS[2 * (claim + i) - 3], lists[i], changes[first], lives[first]
    if not limits.alone then
      writeSections(name, states[i], limits, first)
    elseif millis then
      call('SET', name, limits.alone.prefix .. changed, 'PX', millis)
    else
      call('SETRANGE', name, texts[places[first]], changed)
    end
    first = first + #limits
  end
end

-- Returns the answer to a number of equal requests that are denied, see decide.lua.
local function denial(number)
  local parts = { encode(ANSWER, 2, number, 0, 0, longest, time, 0) }
  for n = 1, size do
    parts[n + 1] = encode(STATUS, granted[4 * n], waits[n], granted[4 * n + 1])
  end
  return table.concat(parts)
end

-- Decides the first of a number of equal joint requests. Returns how many it decided, and their answer; or nothing.
--   claim, lists     the position of the first key, and the limits of each key
--   count, patience  how many they are, and the longest wait
--   permits, at      the permits for the first key, and the place of those for each
local function decideJointly(claim, lists, count, patience, permits, at)
  if count > 1 and groups:sub(at, at + 7 * #lists - 1) ~= encode('>I7', permits):rep(#lists) then count = 1 end
  local number, wait = decideEach(claim, lists, permits, at, count, look)
  if wait == 0 and not look and number < count then
    number, wait = decideEach(claim, lists, permits, at, number, look, true)
  end
  if not number or wait > 0 and (wait <= patience or attempts and not look) then return end
  work = work + 2 * size
  if wait > 0 then
    number = decideEach(claim, lists, permits, at, count, true, true)
    return number, denial(number)
  elseif look then
    number = 1
  else
    writeAll(claim, lists)
  end
  granted[2], granted[3], lists.answer = number, time, lists.answer or HEADER .. string.rep(GRANT, size)
  return number, encode(lists.answer, unpack(granted, 1, 3 + 4 * size))
end
