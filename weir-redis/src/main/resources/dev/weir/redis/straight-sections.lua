-- The straight path of a key with several limits, whose state has a section for each, see key.lua.
local HEADER, GRANT = '>BI4I7', '>I7I7Bc0' -- the answer if all limits grant, and what it has for each
local SECTIONS_FROM = 26 -- the place of the first section of a key with several limits

-- Returns the place of the first section of a key; nothing if more than its sections counts.
local function firstSection(state, alone)
  if state == '' or alone then return SECTIONS_FROM end
  if state:byte() ~= FORMAT or state:byte(2) > 0 then return end
  local last, blocked, sigma = decode('>I7I7i8', state, 3)
  return last <= time and blocked <= time and sigma == 0 and SECTIONS_FROM
end

-- Decides on a limit, see straight.lua.
--   alone, from  whether it is the only one of the key; else the place of its section
-- Returns how many requests are decided, what is behind its section, the place of the creation, and what else `straight` returns. Returns
-- nothing if the section is not that of the limit, or the decision needs more.
local function decideSection(state, limit, alone, from, permits, count, peek)
  local at, behind, start, length, _ = 1, 1, 1, 0, nil
  if not from or permits > limit.burst then return end
  if state ~= '' then
    if alone then
      length = #state
    elseif from <= #state then
      _, _, length, start = decode('>I7BI2', state, from)
    end
    if state:find(limit.prefix, start, true) ~= start then return end
    at, behind = start + CREATED - 1, start + length
  end
  local number, wait, remaining, reset, handle, changed, kept, millis = straight(limit, state, at, behind, permits, count, peek)
  if not number or wait > reset or reset > MOST then return end
  return number, behind, at, wait, remaining, reset, handle, changed, kept, millis
end

-- Grants requests of a key with several limits: as many as fit, of a number of equal ones. Returns how many; the parts of the state that
-- change, each behind the number of bytes before it; nil; the time to live if `whole` or a section needs a new one, then the only part is the
-- whole state; and the part of the answer with what is granted. Returns nothing if none is granted or a limit needs more.
local function changeSections(state, limits, permits, count, whole)
  local from, answer, longest, shifted = firstSection(state), '', 0, whole
  local writes, place, text = { '0', false, 0, false, 0, false }, 1, encode('>BBI7I7i8B', FORMAT, 0, time, 0, 0, 0)
  for n = 1, #limits do
    local limit = limits[n]
    local number, behind, at, wait, remaining, reset, handle, changed, kept, millis =
      decideSection(state, limit, false, from, permits, count, false)
    if not number or wait > 0 then
      return
    elseif number < count or millis and not whole then
      return changeSections(state, limits, permits, number, whole or millis)
    end
    if millis then kept = at - 1 end
    text = text .. encode('>I7BI2', time + reset, 0, CREATED + kept - at + #changed)
    if shifted then
      text = text .. limit.prefix .. state:sub(at, kept) .. changed
    else
      writes[place + 1], writes[place + 2], place, text, shifted = text, kept, place + 2, changed, kept + #changed >= behind
    end
    answer, from = answer .. encode(GRANT, remaining, reset, #handle, handle), behind
    longest = math.max(longest, millis or (decode('>I7', state, at + 7) - time) / 1000 + spare)
  end
  if state ~= '' and from <= #state then return end
  writes[place + 1] = text
  return count, writes, nil, whole and longest - longest % 1 + 1, answer
end

-- Writes what changes of a key: one part behind a number of bytes, the whole state if there is a time to live, or several parts.
local function write(name, changed, kept, millis)
  if kept then
    call('SETRANGE', name, texts[kept], changed)
  elseif millis then
    call('SET', name, changed[2], 'PX', millis)
  else
    for n = 1, #changed, 2 do
      if changed[n + 1] then call('SETRANGE', name, changed[n], changed[n + 1]) end
    end
  end
end

-- Returns the statuses of the limits of a key, which grant nothing; the wait until all do; and whether attempts count. Returns nothing if
-- a limit needs more.
local function statusesOf(state, limits, permits, count)
  local from, statuses, longest, attempts = firstSection(state, limits.alone), '', 0, false
  for _, limit in ipairs(limits) do
    local number, behind, _, wait, remaining, reset = decideSection(state, limit, limits.alone, from, permits, count, true)
    if not number then return end
    statuses, from = statuses .. encode(STATUS, remaining, wait, reset), behind
    longest, attempts = math.max(longest, wait), attempts or limit.flags == ATTEMPTS
  end
  if state == '' or from > #state then return statuses, longest, attempts end
end
